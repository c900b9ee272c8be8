package io.metaroce.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/** Placement against a slow, obvious model: byte arrays, exact arithmetic without overflow. */
class RegionPlacementProperties {
    private static final int REGIONS_MAX = 3;
    private static final int CHUNK_LOG2 = 4;

    /** One thing a peer or the application does. */
    private record Action(
            Kind kind, int region, int domain, int keyBits, Spot spot, long near, int length, int access, int fill) {}

    private enum Kind {
        PLACE,
        PLACE_LOCAL,
        CHECK,
        READ,
        REGISTER,
        DEREGISTER
    }

    /** Where an address is: {@code near} is added to it, wrapping. */
    private enum Spot {
        BASE,
        END,
        ZERO,
        SIGN
    }

    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    @Covers({"R-MEM-002", "R-MEM-003", "R-MEM-004", "R-MEM-008", "R-SEC-002"})
    void agreesWithByteArraysAndExactArithmetic(
            @ForAll("bases") long base, @ForAll @Size(max = 40) List<@From("actions") Object> actions) {
        World world = new World(base);
        for (Object action : actions) {
            world.run((Action) action);
        }
    }

    @Provide
    Arbitrary<Long> bases() {
        return Arbitraries.oneOf(
                Arbitraries.of(0L, 1L, -200L, -65L, Long.MAX_VALUE - 10, Long.MIN_VALUE), Arbitraries.longs());
    }

    @Provide
    Arbitrary<Object> actions() {
        Arbitrary<Integer> keyBits = Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.just(0)),
                Tuple.of(1, Arbitraries.integers()),
                Tuple.of(1, Arbitraries.integers().between(0, 31).map(bit -> 1 << bit)));
        Arbitrary<Long> near = Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.longs().between(-70, 70)), Tuple.of(1, Arbitraries.longs()));
        Arbitrary<Integer> length = Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.integers().between(0, 70)),
                Tuple.of(1, Arbitraries.of(-1, Integer.MIN_VALUE, Integer.MAX_VALUE)));
        Arbitrary<Integer> domain = Arbitraries.frequency(Tuple.of(8, 1), Tuple.of(1, 2));
        Arbitrary<Integer> access = Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.just(Access.ALL)),
                Tuple.of(1, Arbitraries.integers().between(0, Access.ALL)));
        return Combinators.combine(
                        Arbitraries.of(Kind.class),
                        Arbitraries.integers().between(0, REGIONS_MAX - 1),
                        domain,
                        keyBits,
                        Arbitraries.of(Spot.class),
                        near,
                        length,
                        access)
                .as((kind, region, dom, bits, spot, by, len, acc) ->
                        new Action(kind, region, dom, bits, spot, by, len, acc, (region * 31 + len) & 0x7F));
    }

    /** A region as the model sees it. */
    private static final class Model {
        final int key;
        final long base;
        final int access;
        final byte[] bytes;
        boolean gone;

        Model(int key, long base, int access, int length) {
            this.key = key;
            this.base = base;
            this.access = access;
            bytes = new byte[length];
        }
    }

    private static final class World {
        static final int DOMAIN = 1;

        final RegionTable table = new RegionTable(REGIONS_MAX, CHUNK_LOG2);
        final RegionPlacement placement = new RegionPlacement(table);
        final PayloadWindow window = new PayloadWindow(table, 128);
        final List<Model> models = new ArrayList<>(); // former ones too
        final List<ByteBuffer> memories = new ArrayList<>();
        final List<MemoryRegion> regions = new ArrayList<>();
        final ByteBuffer packet = ByteBuffer.allocateDirect(128);

        World(long base) {
            register(base, Access.ALL, 60);
            register(~base, Access.LOCAL_WRITE | Access.REMOTE_WRITE, 33);
        }

        void run(Action action) {
            Model about = models.get(models.size() - 1 - action.region % models.size());
            int key = about.key ^ action.keyBits;
            long address = address(action, about);
            long offset = address - about.base;
            switch (action.kind) {
                case REGISTER -> register(address, action.access, 1 + (action.length & 63));
                case DEREGISTER -> {
                    int i = models.indexOf(about);
                    table.deregister(regions.get(i));
                    about.gone = true;
                }
                case PLACE -> {
                    fill(action);
                    PlacementFault fault = expect(action, key, address, Access.REMOTE_WRITE, Side.REMOTE);
                    assertThat(placement.place(action.domain, key, address, packet, 3, action.length))
                            .isEqualTo(fault);
                    if (fault == PlacementFault.NONE && action.length > 0) {
                        copy(action, key, address, Side.REMOTE);
                    }
                }
                case PLACE_LOCAL -> {
                    fill(action);
                    PlacementFault fault = expect(action, key, offset, Access.LOCAL_WRITE, Side.LOCAL);
                    assertThat(placement.placeLocal(action.domain, key, offset, packet, 3, action.length))
                            .isEqualTo(fault);
                    if (fault == PlacementFault.NONE && action.length > 0) {
                        copy(action, key, offset, Side.LOCAL);
                    }
                }
                case CHECK -> {
                    assertThat(placement.checkRemote(action.domain, key, address, action.length, action.access))
                            .isEqualTo(expect(action, key, address, action.access, Side.REMOTE));
                    assertThat(placement.checkLocal(action.domain, key, offset, action.length, action.access))
                            .isEqualTo(expect(action, key, offset, action.access, Side.LOCAL));
                }
                case READ -> read(action, key, address);
            }
            for (int i = 0; i < models.size(); i++) {
                byte[] real = new byte[models.get(i).bytes.length];
                memories.get(i).get(5, real);
                assertThat(real).isEqualTo(models.get(i).bytes);
                // Nothing before or behind the region was touched.
                assertThat(memories.get(i).get(4)).isZero();
                assertThat(memories.get(i).get(5 + real.length)).isZero();
            }
        }

        private enum Side {
            REMOTE,
            LOCAL
        }

        private void read(Action action, int key, long address) {
            PlacementFault fault = expect(action, key, address, Access.REMOTE_READ, Side.REMOTE);
            window.begin();
            assertThat(window.addRemote(action.domain, key, address, action.length))
                    .isEqualTo(fault);
            if (fault == PlacementFault.NONE && action.length > 0) {
                Model model = requireNonNull(live(key));
                byte[] real = new byte[window.length()];
                window.buffer().get(window.offset(), real);
                int at = BigInteger.valueOf(address - model.base).intValueExact();
                assertThat(real).isEqualTo(Arrays.copyOfRange(model.bytes, at, at + action.length));
            }
        }

        /** Steps in their order, with numbers that cannot overflow. */
        private PlacementFault expect(Action action, int key, long where, int access, Side side) {
            if (action.length == 0) {
                return PlacementFault.NONE;
            }
            Model model = live(key);
            if (model == null) {
                return PlacementFault.KEY;
            }
            if (action.domain != DOMAIN) {
                return PlacementFault.DOMAIN;
            }
            if ((model.access & access) != access) {
                return PlacementFault.ACCESS;
            }
            BigInteger first = unsigned(where);
            BigInteger low = side == Side.REMOTE ? unsigned(model.base) : BigInteger.ZERO;
            BigInteger high = low.add(BigInteger.valueOf(model.bytes.length));
            BigInteger bytes = unsigned(action.length);
            boolean inside = first.compareTo(low) >= 0 && first.add(bytes).compareTo(high) <= 0;
            return inside ? PlacementFault.NONE : PlacementFault.BOUNDS;
        }

        private void copy(Action action, int key, long where, Side side) {
            Model model = requireNonNull(live(key));
            int at = (int) (side == Side.REMOTE ? where - model.base : where);
            for (int i = 0; i < action.length; i++) {
                model.bytes[at + i] = packet.get(3 + i);
            }
        }

        private @Nullable Model live(int key) {
            for (Model model : models) {
                if (!model.gone && model.key == key) {
                    return model;
                }
            }
            return null;
        }

        private void fill(Action action) {
            for (int i = 0; i < packet.capacity(); i++) {
                packet.put(i, (byte) (action.fill + i));
            }
        }

        private void register(long base, int access, int length) {
            boolean fits = unsigned(base).add(BigInteger.valueOf(length)).bitLength() <= 64
                    || unsigned(base).add(BigInteger.valueOf(length)).equals(BigInteger.ONE.shiftLeft(64));
            if (!fits || table.count() == REGIONS_MAX) {
                return;
            }
            ByteBuffer memory = ByteBuffer.allocateDirect(length + 10);
            MemoryRegion region =
                    table.register(DOMAIN, memory.duplicate().position(5).limit(5 + length), base, access);
            for (Model former : models) {
                assertThat(region.key()).as("a key that was used before").isNotEqualTo(former.key);
            }
            memories.add(memory);
            regions.add(region);
            models.add(new Model(region.key(), base, access, length));
        }

        private static long address(Action action, Model about) {
            long spot = switch (action.spot) {
                case BASE -> about.base;
                case END -> about.base + about.bytes.length;
                case ZERO -> 0;
                case SIGN -> Long.MIN_VALUE;
            };
            return spot + action.near;
        }

        private static BigInteger unsigned(long value) {
            return new BigInteger(Long.toUnsignedString(value));
        }
    }
}
