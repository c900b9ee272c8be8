package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.datagram.Transmit;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.memory.PayloadWindow;
import io.metaroce.memory.PlacementFault;
import io.metaroce.memory.RegionPlacement;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.Signalling;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The bytes of a request, in up to four pieces. */
class GatherTest {
    private static final int[][] PIECES = {{10, 7}, {40, 0}, {3, 12}, {60, 5}}; // offset, length
    private static final int TOTAL = 24;

    private final Side side = new Side(Side.Shape.PLAIN);
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(100);
    private final MemoryRegion region = side.memory(bytes);
    private final PayloadWindow window = new PayloadWindow(side.regions, 1024);
    private final Gather gather = new Gather(new RegionPlacement(side.regions), window);
    private final Transmit out = new Transmit();

    GatherTest() {
        for (int i = 0; i < bytes.capacity(); i++) {
            bytes.put(i, (byte) i);
        }
        side.makeRings(0, Signalling.ALL);
    }

    @Test
    void everyFragmentIsThatPartOfThePiecesInARow() {
        SendCell cell = cell(region.key(), region.key(), region.key(), region.key());
        byte[] whole = new byte[TOTAL];
        int n = 0;
        for (int[] piece : PIECES) {
            for (int i = 0; i < piece[1]; i++) {
                whole[n++] = (byte) (piece[0] + i);
            }
        }
        for (int offset = 0; offset <= TOTAL; offset++) {
            for (int length = 0; offset + length <= TOTAL; length++) {
                assertThat(gather.check(Side.DOMAIN, cell, offset, length)).isEqualTo(PlacementFault.NONE);
                assertThat(gather.find(Side.DOMAIN, cell, offset, length)).isEqualTo(PlacementFault.NONE);
                gather.fill(Side.DOMAIN, cell, offset, length, out);
                ByteBuffer payload = out.payload().slice(out.payloadOffset(), out.payloadLength());
                assertThat(payload).as("%s from %s", length, offset).isEqualTo(ByteBuffer.wrap(whole, offset, length));
            }
        }
    }

    @Test
    void whatLiesInOnePieceIsNotCopied() {
        SendCell cell = cell(region.key(), region.key(), region.key(), region.key());
        int start = 0;
        for (int[] piece : PIECES) {
            for (int from = 0; from < piece[1]; from++) {
                for (int length = 1; from + length <= piece[1]; length++) {
                    gather.find(Side.DOMAIN, cell, start + from, length);
                    gather.fill(Side.DOMAIN, cell, start + from, length, out);
                    bytes.put(piece[0] + from, (byte) 77);
                    assertThat(out.payload().get(out.payloadOffset()))
                            .as("memory itself")
                            .isEqualTo((byte) 77);
                }
            }
            start += piece[1];
        }
    }

    @Test
    void onlyThePiecesThatAFragmentTouchesAreLookedAt() {
        int start = 0;
        for (int bad = 0; bad < PIECES.length; bad++) {
            int[] keys = {region.key(), region.key(), region.key(), region.key()};
            keys[bad] ^= 0x100;
            SendCell cell = cell(keys);
            for (int offset = 0; offset < TOTAL; offset++) {
                for (int length = 1; offset + length <= TOTAL; length++) {
                    boolean touches = PIECES[bad][1] > 0 && offset < start + PIECES[bad][1] && offset + length > start;
                    PlacementFault must = touches ? PlacementFault.KEY : PlacementFault.NONE;
                    assertThat(gather.check(Side.DOMAIN, cell, offset, length)).isEqualTo(must);
                    assertThat(gather.find(Side.DOMAIN, cell, offset, length)).isEqualTo(must);
                }
            }
            start += PIECES[bad][1];
        }
    }

    @Test
    void aResponseNeedsEveryPieceToBeWritable() {
        MemoryRegion readOnly = side.regions.register(
                Side.DOMAIN, new ByteBuffer[] {ByteBuffer.allocateDirect(100)}, 0, Access.REMOTE_READ);
        assertThat(gather.checkWritable(Side.DOMAIN, cell(region.key(), region.key(), region.key(), region.key())))
                .isEqualTo(PlacementFault.NONE);
        for (int bad = 0; bad < PIECES.length; bad++) {
            int[] keys = {region.key(), region.key(), region.key(), region.key()};
            keys[bad] = readOnly.key();
            PlacementFault must = PIECES[bad][1] == 0 ? PlacementFault.NONE : PlacementFault.ACCESS;
            assertThat(gather.checkWritable(Side.DOMAIN, cell(keys))).isEqualTo(must);
        }
    }

    private SendCell cell(int... keys) {
        SendCell cell = Objects.requireNonNull(side.sends[0].acquire());
        for (int i = 0; i < keys.length; i++) {
            cell.addSge(keys[i], PIECES[i][0], PIECES[i][1]);
        }
        return cell;
    }
}
