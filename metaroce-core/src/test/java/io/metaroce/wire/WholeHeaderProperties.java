package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A header written in one step is the header that its setters write. */
class WholeHeaderProperties {
    private static final int AT = 3;

    private final ByteBuffer whole = full();
    private final ByteBuffer single = full();

    private static ByteBuffer full() {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        Arrays.fill(buffer.array(), (byte) 0x5A);
        return buffer;
    }

    @Property
    @Covers("R-HDR-001")
    void aBaseHeader(
            @ForAll @IntRange(max = 255) int opcode,
            @ForAll @IntRange(max = 15) int flags,
            @ForAll @IntRange(max = 255) int pathId,
            @ForAll @IntRange(max = 255) int pathEpoch,
            @ForAll int dstConnId,
            @ForAll int psn,
            @ForAll int txStamp) {
        new BaseHeader().wrap(whole, AT).opcode(opcode).complete(flags, pathId, pathEpoch, dstConnId, psn, txStamp);
        new BaseHeader()
                .wrap(single, AT)
                .begin(opcode)
                .flags(flags)
                .pathId(pathId)
                .pathEpoch(pathEpoch)
                .dstConnId(dstConnId)
                .psn(psn)
                .txStamp(txStamp);
        assertThat(whole).isEqualTo(single);
    }

    @Property
    @Covers("R-HDR-003")
    void aMessageHeader(
            @ForAll @IntRange(max = 0xFFFF) int streamId,
            @ForAll @IntRange(max = 15) int attempt,
            @ForAll @IntRange(max = 31) int flags,
            @ForAll @IntRange(max = 255) int demand,
            @ForAll int msn,
            @ForAll int offset) {
        new MessageHeader().wrap(whole, AT).write(streamId, attempt, flags, demand, msn, offset);
        new MessageHeader()
                .wrap(single, AT)
                .streamId(streamId)
                .attempt(attempt)
                .messageFlags(flags)
                .demand(demand)
                .msn(msn)
                .messageOffset(offset);
        assertThat(whole).isEqualTo(single);
    }

    @Property
    void theHeaderOfAWrite(@ForAll int rkey, @ForAll int messageLength, @ForAll long remoteAddress) {
        new WriteHeader().wrap(whole, AT).write(rkey, messageLength, remoteAddress);
        new WriteHeader()
                .wrap(single, AT)
                .rkey(rkey)
                .messageLength(messageLength)
                .remoteAddress(remoteAddress);
        assertThat(whole).isEqualTo(single);
    }
}
