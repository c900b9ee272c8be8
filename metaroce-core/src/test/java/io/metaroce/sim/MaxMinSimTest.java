package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Long flows through the real engine over links in a row, none of which is a receiver's: nobody is told a share, marks
 * alone decide. Rates are compared with those that fill every link while the least is as great as it can be.
 */
class MaxMinSimTest {
    private static final int GBIT = 100;
    private static final long ROUND_TRIP_NS = 10_000; // of the flow over all links
    private static final int MESSAGE_BYTES = 1 << 16;
    private static final int OUTSTANDING = 16;
    private static final double PAYLOAD_PART = 4096.0 / (4096 + 118);

    /** A flow from a host at one switch of the row to a host at another. */
    private static final class Flow {
        final int from;
        final int to;
        final Peer source;
        final Peer target;
        private int posted;
        boolean isActive;

        Flow(Fabric fabric, int number, int from, int to) {
            this.from = from;
            this.to = to;
            var config = Transfer.config(2 * GBIT, 1);
            source = new Peer(fabric.host("a" + number, config), MESSAGE_BYTES, 2 * OUTSTANDING);
            target = new Peer(fabric.host("b" + number, config), MESSAGE_BYTES, 2 * OUTSTANDING);
            target.listens();
        }

        void pump() {
            while (isActive && posted - source.app.poll().size() < OUTSTANDING) {
                source.app.post(posted++, WrOpcode.RDMA_WRITE, new App.Range(0, MESSAGE_BYTES), target.app.at(0, 0));
            }
        }

        long placed() {
            return target.host.counters().get(Counter.RX_PAYLOAD_BYTES);
        }
    }

    /** Switches in a row with links of stated rates between them; hosts have twice the rate of the fastest. */
    private static final class Row {
        final World world;
        final List<Flow> flows = new ArrayList<>();
        private final double[] gbit;

        Row(long seed, double[] gbit, int[][] ends) {
            this.gbit = gbit;
            world = World.ofSeed(seed);
            Fabric fabric = new Fabric(world);
            NicConfig nic = NicConfig.ofGbit(2 * GBIT);
            for (int i = 0; i < ends.length; i++) {
                fabric.addAttachment("a" + i, 1, nic);
                fabric.addAttachment("b" + i, 1, nic);
            }
            Switch[] row = new Switch[gbit.length + 1];
            for (int i = 0; i < row.length; i++) {
                row[i] = fabric.addSwitch("s" + i, 0);
            }
            Link[] right = new Link[gbit.length];
            Link[] left = new Link[gbit.length];
            for (int i = 0; i < gbit.length; i++) {
                right[i] = fabric.addLink(new LinkName(0, "c" + i, "s" + i, "s" + (i + 1)), port(gbit[i]), row[i + 1]);
                left[i] = fabric.addLink(new LinkName(0, "c" + i, "s" + (i + 1), "s" + i), port(gbit[i]), row[i]);
            }
            for (int i = 0; i < ends.length; i++) {
                place(fabric, row, fabric.attachment("a" + i), ends[i][0], right, left);
                place(fabric, row, fabric.attachment("b" + i), ends[i][1], right, left);
            }
            world.built(fabric);
            for (int i = 0; i < ends.length; i++) {
                flows.add(new Flow(fabric, i, ends[i][0], ends[i][1]));
            }
            world.run(1_000);
            flows.forEach(flow -> flow.source.connects(flow.target));
            world.run(1_000_000);
            assertThat(flows).allMatch(flow -> flow.source.isEstablished);
        }

        private static LinkConfig port(double gbit) {
            return LinkConfig.port((long) (gbit * 1e9), SimTime.US, (long) (5_000 * gbit))
                    .withEcn(new EcnRamp((long) (200 * gbit), (long) (800 * gbit), 1_000_000));
        }

        private static void place(Fabric fabric, Switch[] row, Attachment host, int at, Link[] right, Link[] left) {
            Link down = Topology.access(fabric, 0, host, row[at], NicConfig.ofGbit(2 * GBIT), port(2 * GBIT));
            for (int i = 0; i < row.length; i++) {
                row[i].route(host.node(), new Link[] {i < at ? right[i] : i > at ? left[i - 1] : down});
            }
        }

        /** Rates of payload in Gbit/s over a while. */
        double[] run(long ns) {
            long[] before = flows.stream().mapToLong(Flow::placed).toArray();
            boolean unused = world.runUntil(
                    () -> {
                        flows.forEach(Flow::pump);
                        return false;
                    },
                    ns);
            double[] rates = new double[before.length];
            for (int i = 0; i < rates.length; i++) {
                rates[i] = (flows.get(i).placed() - before[i]) * 8.0 / ns;
            }
            return rates;
        }

        /** What would be right: links are filled evenly until one is full, whose flows are then fixed, and so on. */
        double[] fair() {
            double[] rates = new double[flows.size()];
            boolean[] isFixed = new boolean[rates.length];
            double[] left = gbit.clone();
            for (int i = 0; i < rates.length; i++) {
                isFixed[i] = !flows.get(i).isActive;
            }
            while (true) {
                double least = Double.MAX_VALUE;
                for (int link = 0; link < left.length; link++) {
                    int open = open(link, isFixed);
                    least = open == 0 ? least : Math.min(least, left[link] / open);
                }
                if (least == Double.MAX_VALUE) {
                    return Arrays.stream(rates).map(rate -> rate * PAYLOAD_PART).toArray();
                }
                boolean[] fixes = new boolean[rates.length];
                for (int link = 0; link < left.length; link++) {
                    int open = open(link, isFixed);
                    left[link] -= open * least;
                    for (int i = 0; i < rates.length && open > 0 && left[link] < 1e-9; i++) {
                        fixes[i] |= !isFixed[i] && passes(i, link);
                    }
                }
                for (int i = 0; i < rates.length; i++) {
                    rates[i] += isFixed[i] ? 0 : least;
                    isFixed[i] |= fixes[i];
                }
            }
        }

        private int open(int link, boolean[] isFixed) {
            int count = 0;
            for (int i = 0; i < isFixed.length; i++) {
                count += !isFixed[i] && passes(i, link) ? 1 : 0;
            }
            return count;
        }

        private boolean passes(int flow, int link) {
            return flows.get(flow).from <= link && link < flows.get(flow).to;
        }
    }

    private static String figures(double[] rates, double[] fair) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < rates.length; i++) {
            out.append(String.format(Locale.ROOT, "%.1f of %.1f; ", rates[i], fair[i]));
        }
        return out.toString();
    }

    private static double sum(double[] values) {
        return Arrays.stream(values).sum();
    }

    /** Flows 1, 2, 3, 4, 3, 2, 1 over one link, 100 round trips each; the second half of each step counts. */
    @Test
    void sharesFollowWhoComesAndGoes() {
        Row row = new Row(1, new double[] {GBIT}, new int[][] {{0, 1}, {0, 1}, {0, 1}, {0, 1}});
        double missedPercent = 0;
        for (int step = 0; step < 7; step++) {
            row.flows.get(step < 4 ? step : step - 4).isActive = step < 4;
            row.run(50 * ROUND_TRIP_NS);
            double[] rates = row.run(50 * ROUND_TRIP_NS);
            double[] fair = row.fair();
            assertThat(sum(rates)).as(figures(rates, fair)).isBetween(0.97 * sum(fair), 1.01 * sum(fair));
            for (int i = 0; i < rates.length; i++) {
                assertThat(rates[i]).as(figures(rates, fair)).isBetween(0.5 * fair[i], 1.5 * fair[i]);
                missedPercent += fair[i] == 0 ? 0 : 100 * Math.abs(rates[i] - fair[i]) / fair[i];
            }
        }
        assertThat(missedPercent / 16).isLessThan(18); // of sixteen shares
    }

    /**
     * Three others have one link each. A law that acts on marks alone cannot give the flow over all three what it would
     * get if somebody told everybody: it meets marks three times, and its round trip is longer. All links are full, and
     * it goes on.
     */
    @ParameterizedTest
    @CsvSource({"100, 100, 100", "100, 40, 100", "40, 100, 60"})
    void aFlowOverThreeLinksGetsLessThanItsShareAndNoLinkIsIdle(double first, double second, double third) {
        double[] gbit = {first, second, third};
        Row row = new Row(1, gbit, new int[][] {{0, 3}, {0, 1}, {1, 2}, {2, 3}});
        row.flows.forEach(flow -> flow.isActive = true);
        row.run(100 * ROUND_TRIP_NS);
        double[] rates = row.run(100 * ROUND_TRIP_NS);
        double[] fair = row.fair();
        for (int link = 0; link < gbit.length; link++) {
            double full = gbit[link] * PAYLOAD_PART;
            assertThat(rates[0] + rates[1 + link]).as(figures(rates, fair)).isBetween(0.95 * full, 1.01 * full);
        }
        assertThat(rates[0]).as(figures(rates, fair)).isBetween(0.15 * fair[0], 1.05 * fair[0]);
    }
}
