package io.metaroce.compliance.adapter.model;

import io.metaroce.num.Entropy;
import io.metaroce.num.SplitMix64;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The randomness of a model, some of whose draws are told by whoever is followed: what was chosen elsewhere is drawn
 * here. Each purpose has its own split, so a told draw shifts no other one.
 */
final class ChosenEntropy implements Entropy {
    private final SplitMix64 drawn;
    private final Chosen chosen;
    private final Purpose purpose;
    private int draws;

    /** What was told and not drawn yet. */
    static final class Chosen {
        final ArrayDeque<Long> connectionIds = new ArrayDeque<>();
        final ArrayDeque<Long> nonces = new ArrayDeque<>();
        final ArrayDeque<Long> crcSeeds = new ArrayDeque<>();
        final ArrayDeque<Long> psnSeeds = new ArrayDeque<>();
    }

    /** What a split is for, as far as it is known here. */
    private enum Purpose {
        ROOT,
        CONNECTION_ID,
        NONCE,
        TERMS,
        OTHER
    }

    ChosenEntropy(long seed, Chosen chosen) {
        this(new SplitMix64(seed), chosen, Purpose.ROOT);
    }

    private ChosenEntropy(SplitMix64 drawn, Chosen chosen, Purpose purpose) {
        this.drawn = drawn;
        this.chosen = chosen;
        this.purpose = purpose;
    }

    @Override
    public long nextLong() {
        long own = drawn.nextLong();
        int index = draws++;
        @Nullable
        ArrayDeque<Long> told = switch (purpose) {
            case CONNECTION_ID -> chosen.connectionIds;
            case NONCE -> chosen.nonces;
            case TERMS -> index == 0 ? chosen.crcSeeds : index == 1 ? chosen.psnSeeds : null;
            case ROOT, OTHER -> null;
        };
        @Nullable Long value = told == null ? null : told.poll();
        return value == null ? own : value;
    }

    @Override
    public Entropy split(String label, long id) {
        Purpose inner = Purpose.OTHER;
        if (purpose == Purpose.ROOT) {
            inner = switch (label) {
                case "connId" -> Purpose.CONNECTION_ID;
                case "nonce" -> Purpose.NONCE;
                case "terms" -> Purpose.TERMS;
                default -> Purpose.OTHER;
            };
        }
        return new ChosenEntropy(drawn.split(label, id), chosen, inner);
    }
}
