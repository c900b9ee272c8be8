package io.metaroce.sim.roce;

import io.metaroce.num.FixedPoint;

/**
 * The rate of one queue pair under DCQCN. Time is caught up with when somebody asks; alpha belongs to the queue pair,
 * as it must.
 */
final class Dcqcn {
    private static final int ALPHA_BITS = 30;
    private static final long ONE = 1L << ALPHA_BITS;
    private static final int GAIN_BITS = 10;

    private final DcqcnConfig config;
    private long rate;
    private long target;
    private long alpha = ONE;
    private boolean isBegun; // with the first notification
    private boolean isAlphaDue; // a notification came in this period of alpha
    private boolean isDecreaseDue; // and in this period of decreases
    private long alphaAtPs;
    private long decreaseAtPs;
    private long increaseAtPs;
    private long bytesLeft; // to the next increase by bytes
    private int timeStage = 1; // increases since the last cut, by time
    private int byteStage; // and by bytes

    Dcqcn(DcqcnConfig config) {
        this.config = config;
        rate = config.lineBitsPerSecond();
        target = rate;
    }

    /** A notification has come. */
    void onCnp(long nowPs) {
        catchUp(nowPs);
        if (!isBegun) {
            isBegun = true;
            alphaAtPs = nowPs + config.alphaPs();
            decreaseAtPs = nowPs + config.decreasePs();
            isAlphaDue = false;
            decrease(nowPs);
            return;
        }
        isAlphaDue = true;
        isDecreaseDue = true;
    }

    /** So many bytes are being sent. */
    void onSent(long nowPs, int bytes) {
        if (config.increaseBytes() == 0 || !isBegun) {
            return;
        }
        catchUp(nowPs);
        bytesLeft -= bytes;
        if (isBegun && bytesLeft <= 0) {
            bytesLeft += config.increaseBytes();
            raise();
            byteStage++;
        }
    }

    /** The rate now. */
    long bitsPerSecond(long nowPs) {
        catchUp(nowPs);
        return rate;
    }

    private void catchUp(long nowPs) {
        while (isBegun) {
            long nextPs = Math.min(alphaAtPs, Math.min(decreaseAtPs, increaseAtPs));
            if (nextPs > nowPs) {
                return;
            }
            if (nextPs == alphaAtPs) {
                moveAlpha();
            } else if (nextPs == decreaseAtPs) {
                decreaseAtPs += config.decreasePs();
                if (isDecreaseDue) {
                    decrease(nextPs);
                }
            } else {
                increase();
            }
            if (rate == config.lineBitsPerSecond() && alpha < (ONE >>> GAIN_BITS) && !isDecreaseDue) {
                isBegun = false; // back where it began
                alpha = ONE;
            }
        }
    }

    private void moveAlpha() {
        alphaAtPs += config.alphaPs();
        long fresh = isAlphaDue ? ONE : 0;
        isAlphaDue = false;
        alpha += ((fresh - alpha) * config.gainQ10()) >> GAIN_BITS;
    }

    private void decrease(long atPs) {
        isDecreaseDue = false;
        target = timeStage > 0 || byteStage > 0
                ? rate
                : target; // several cuts in a row are one: recovery aims at what was before the first
        long cut = FixedPoint.mulDiv(rate, alpha, 2 * ONE);
        rate = Math.max(config.leastBitsPerSecond(), rate - cut);
        timeStage = 0;
        byteStage = 0;
        bytesLeft = config.increaseBytes();
        increaseAtPs = atPs + config.increasePs();
    }

    private void increase() {
        increaseAtPs += config.increasePs();
        raise();
        timeStage++;
    }

    // Fast while both are young, by large steps when both are old.
    private void raise() {
        int bytes = config.increaseBytes() == 0 ? timeStage : byteStage;
        if (Math.min(timeStage, bytes) > config.fastPeriods()) {
            target += config.hyperBitsPerSecond();
        } else if (Math.max(timeStage, bytes) >= config.fastPeriods()) {
            target += config.additiveBitsPerSecond();
        }
        target = Math.min(target, config.lineBitsPerSecond());
        rate = (rate + target) / 2;
        if (target - rate < config.additiveBitsPerSecond() && target == config.lineBitsPerSecond()) {
            rate = target;
        }
    }
}
