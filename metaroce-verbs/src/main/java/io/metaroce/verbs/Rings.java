package io.metaroce.verbs;

import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendRing;
import org.jspecify.annotations.Nullable;

/** The two rings of a new queue pair, or nothing: if one cannot be had, the other is given back. */
final class Rings {
    private final SendRing sends;
    private final ReceiveRing receives;

    Rings(Device device, QpInitAttributes attributes, int qpNumber, QueueSink sendSink, QueueSink receiveSink) {
        int sendAttachment = -1;
        int receiveAttachment = -1;
        SendRing made = null;
        try {
            sendAttachment = sendSink.attach();
            receiveAttachment = receiveSink.attach();
            made = new SendRing(
                    attributes.sendDepth(),
                    attributes.sendSgeMax(),
                    attributes.inlineBytesMax(),
                    qpNumber,
                    sendSink,
                    sendAttachment,
                    attributes.signalling(),
                    device.host().doorbells());
            SharedReceiveQueue shared = attributes.sharedReceiveQueue();
            receives = shared != null
                    ? new ReceiveRing(shared.ring(), qpNumber, receiveSink, receiveAttachment)
                    : new ReceiveRing(
                            attributes.receiveDepth(),
                            attributes.receiveSgeMax(),
                            qpNumber,
                            receiveSink,
                            receiveAttachment,
                            device.host().doorbells());
            sends = made;
        } catch (IllegalStateException | IllegalArgumentException e) {
            giveBack(device, made, sendSink, sendAttachment, receiveSink, receiveAttachment);
            throw new VerbsException(
                    "QP " + qpNumber,
                    "create with " + attributes,
                    "refused by its queues",
                    String.valueOf(e.getMessage()),
                    e);
        }
    }

    SendRing sends() {
        return sends;
    }

    ReceiveRing receives() {
        return receives;
    }

    private static void giveBack(
            Device device,
            @Nullable SendRing made,
            QueueSink sendSink,
            int sendAttachment,
            QueueSink receiveSink,
            int receiveAttachment) {
        device.engine().run("QP", "give back", (nowNs, endpoint) -> {
            if (made != null) {
                made.retire();
            }
            if (sendAttachment >= 0) {
                sendSink.detach(sendAttachment);
            }
            if (receiveAttachment >= 0) {
                receiveSink.detach(receiveAttachment);
            }
        });
    }
}
