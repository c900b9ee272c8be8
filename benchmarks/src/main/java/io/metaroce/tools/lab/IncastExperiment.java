package io.metaroce.tools.lab;

import io.metaroce.engine.PathView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Many hosts of other leaves write to one, or it reads from them: when the last is done, and of writers how equal they
 * are, and how soon their shares are right.
 */
final class IncastExperiment implements Experiment {
    private static final int SAMPLES_PER_ROUND_TRIP = 4;
    private static final int ROUND_TRIPS_MAX = 40;
    private static final double NEAR = 0.10;
    private static final int DRAWN_MAX = 32; // senders whose shares are drawn
    private static final int SETTLED_ROUND_TRIPS = 4;

    private final SeriesLog series = new SeriesLog();

    @Override
    public Map<String, Double> run(Knobs knobs, long seed) {
        LabFabric fabric = new LabFabric(knobs, seed);
        int senders = knobs.number("senders");
        boolean isRead = knobs.isSet("read");
        int bytes = knobs.number("message_bytes");
        Traffic traffic = new Traffic(fabric, bytes, 1);
        for (int i = 0; i < senders; i++) {
            // Who reads begins at the place that will get the bytes.
            int other = sender(fabric, i);
            traffic.add(isRead ? 0 : other, isRead ? other : 0);
        }
        Victims victims = new Victims(fabric, traffic);
        traffic.connect();
        Map<String, Double> figures = new TreeMap<>();
        victims.begin(figures);
        long startNs = fabric.world().nowNs();
        // Handshakes of a thousand hosts at once may lose some, too.
        long droppedBefore = fabric.linkTo(0).counters().droppedTotal();
        long jitterNs = knobs.get("jitter_ns", 0);
        traffic.write(1, jitterNs);
        FabricLoad load = traffic.load(1);
        double idealNs = load.idealNs();
        double[] shares = load.shares();
        boolean isEqual = isEqual(traffic, shares);
        if (!isRead && isEqual) {
            figures.put("settled_round_trips", settle(fabric, traffic, shares[0], jitterNs));
        }
        hintError(figures, fabric, traffic, shares, startNs);
        traffic.run(Math.max(0, (long) (startNs + idealNs / 2) - fabric.world().nowNs()));
        if (!isRead && isEqual) {
            figures.put("jain", jainOfSlots(traffic));
        }
        victims.end(figures, startNs, idealNs);
        traffic.complete();
        double[] tookNs = traffic.tookNs(startNs);
        series.add(Series.distribution("completion/all senders", tookNs));
        // The last answer comes back the way the data went.
        CommonFigures.incast(figures, fabric, tookNs, idealNs + fabric.roundTripNs() / 2);
        figures.put("drops", (double) (fabric.linkTo(0).counters().droppedTotal() - droppedBefore));
        CommonFigures.world(figures, fabric);
        return figures;
    }

    @Override
    public List<Series> series() {
        return series.all();
    }

    /**
     * Round trips from the last first arrival, beyond the time in which a packet of everybody passes, until every share
     * told is within a tenth of equal.
     */
    private double settle(LabFabric fabric, Traffic traffic, double fair, long jitterNs) {
        double packetsNs = traffic.flows().size() * fabric.wire(LabFabric.PAYLOAD_BYTES) / fabric.rate() * 1e9;
        traffic.run((long) (jitterNs + fabric.roundTripNs() / 2 + packetsNs));
        for (int i = 0; i < ROUND_TRIPS_MAX * SAMPLES_PER_ROUND_TRIP; i++) {
            draw((double) i / SAMPLES_PER_ROUND_TRIP, traffic, fair);
            if (traffic.flows().stream()
                    .allMatch(flow -> Math.abs(flow.view().hintBytesPerSecond() - fair) <= NEAR * fair)) {
                return (double) i / SAMPLES_PER_ROUND_TRIP;
            }
            traffic.run((long) (fabric.roundTripNs() / SAMPLES_PER_ROUND_TRIP));
        }
        return ROUND_TRIPS_MAX;
    }

    private static boolean isEqual(Traffic traffic, double[] shares) {
        return traffic.flows().stream().mapToInt(Flow::messageBytes).distinct().count() == 1
                && Arrays.stream(shares).distinct().count() == 1;
    }

    /** Four round trips after the first bytes: how far shares told are from fair ones, of 95 % of the flows at most. */
    private static void hintError(
            Map<String, Double> figures, LabFabric fabric, Traffic traffic, double[] fair, long startNs) {
        traffic.run(Math.max(
                0,
                (long) (startNs + (SETTLED_ROUND_TRIPS + 1) * fabric.roundTripNs())
                        - fabric.world().nowNs()));
        List<Flow> flows = traffic.flows();
        double[] errors = new double[flows.size()];
        for (int i = 0; i < errors.length; i++) {
            double told =
                    Math.min((double) flows.get(i).viewOfSender().hintBytesPerSecond(), fabric.rateOf(flows.get(i)));
            errors[i] = Math.abs(told - fair[i]) / fair[i];
        }
        Arrays.sort(errors);
        figures.put("hint_error_p95", errors[(int) Math.ceil(0.95 * errors.length) - 1]);
    }

    private void draw(double roundTrips, Traffic traffic, double fair) {
        for (int i = 0; i < Math.min(DRAWN_MAX, traffic.flows().size()); i++) {
            series.add(
                    "share/sender " + i,
                    roundTrips,
                    traffic.flows().get(i).view().hintBytesPerSecond() / fair);
        }
    }

    /** The place of one of the senders: leaf by leaf, the receiver's own left out. */
    static int sender(LabFabric fabric, int number) {
        int leaves = fabric.places() / fabric.hostsPerLeaf() - 1;
        return (1 + number % leaves) * fabric.hostsPerLeaf() + number / leaves;
    }

    private static double jainOfSlots(Traffic traffic) {
        return CommonFigures.jain(traffic.flows().stream()
                .mapToDouble(flow ->
                        flow.view().paths().stream().mapToLong(PathView::slots).sum())
                .toArray());
    }
}
