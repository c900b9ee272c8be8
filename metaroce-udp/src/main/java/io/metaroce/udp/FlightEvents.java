package io.metaroce.udp;

import io.metaroce.trace.TransportEvents;
import java.util.Locale;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Tells Java Flight Recorder of trouble: slots sent again, paths down, missing receives, failed queue pairs, other
 * rates. None of it happens per packet, and while nothing records each is one comparison. Endpoints on sockets have it
 * always. Endpoint thread.
 */
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
public final class FlightEvents implements TransportEvents {
    private static final int PATH_FAILED = 4;

    private FlightEvents() {}

    /** The events, or nothing where the runtime has no recorder. */
    public static TransportEvents orNone() {
        boolean isThere = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
        return isThere ? new FlightEvents() : NONE;
    }

    /** What all have in common. */
    @Category("MetaRoCE")
    @StackTrace(false)
    private abstract static class OfConnection extends Event {
        @Label("Connection")
        @Description("Number of the connection, as the log and the bean name it")
        String connection = "";

        final void of(int connectionId) {
            connection = String.format(Locale.ROOT, "%08x", connectionId);
        }
    }

    /** A slot is sent again. */
    @Name("io.metaroce.Retransmit")
    @Label("Retransmit")
    @Description("A slot was lost, or nothing was heard of its path: it is sent again")
    private static final class Retransmit extends OfConnection {
        @Label("Path")
        int path;

        @Label("PSN")
        @Description("Number of the slot; -1 when the path timed out, which sends its oldest slot again")
        long psn;

        @Label("Cause")
        String cause = "";
    }

    /** A path failed. */
    @Name("io.metaroce.PathDown")
    @Label("Path Down")
    @Description("A path has failed and carries nothing, or was taken out of service")
    private static final class PathDown extends OfConnection {
        @Label("Path")
        int path;

        @Label("State")
        String state = "";
    }

    /** A message met no receive. */
    @Name("io.metaroce.RnrNak")
    @Label("RNR NAK")
    @Description("The peer had no receive for a message, which is sent again later")
    private static final class RnrNak extends OfConnection {
        @Label("Stream")
        int stream;

        @Label("MSN")
        long msn;
    }

    /** A queue pair failed. */
    @Name("io.metaroce.QpError")
    @Label("Queue Pair Error")
    @Description("A stream failed, and its queue pair with it")
    private static final class QpError extends OfConnection {
        @Label("Stream")
        int stream;

        @Label("Code")
        @Description("Code of the error table")
        int code;
    }

    /** The receiver grants another rate. */
    @Name("io.metaroce.HintChanged")
    @Label("Hint Changed")
    @Description("The receiver granted another rate")
    @Enabled(false)
    private static final class HintChanged extends OfConnection {
        @Label("Rate")
        @Description("Bytes per second; 0 is a pause")
        @DataAmount(DataAmount.BYTES)
        long bytesPerSecond;
    }

    @Override
    public void slotLost(long nowNs, int connectionId, int path, int psn) {
        Retransmit event = new Retransmit();
        if (event.isEnabled()) {
            event.of(connectionId);
            event.path = path;
            event.psn = Integer.toUnsignedLong(psn);
            event.cause = "gap";
            event.commit();
        }
    }

    @Override
    public void timedOut(long nowNs, int connectionId, int path) {
        Retransmit event = new Retransmit();
        if (event.isEnabled()) {
            event.of(connectionId);
            event.path = path;
            event.psn = -1;
            event.cause = "timeout";
            event.commit();
        }
    }

    @Override
    public void pathState(long nowNs, int connectionId, int path, int state) {
        if (state < PATH_FAILED) {
            return;
        }
        PathDown event = new PathDown();
        if (event.isEnabled()) {
            event.of(connectionId);
            event.path = path;
            event.state = state < UdpLog.PATH_STATES.length ? UdpLog.PATH_STATES[state] : "state " + state;
            event.commit();
        }
    }

    @Override
    public void refused(long nowNs, int connectionId, int stream, int msn) {
        RnrNak event = new RnrNak();
        if (event.isEnabled()) {
            event.of(connectionId);
            event.stream = stream;
            event.msn = Integer.toUnsignedLong(msn);
            event.commit();
        }
    }

    @Override
    public void streamFailed(long nowNs, int connectionId, int stream, int code) {
        QpError event = new QpError();
        if (event.isEnabled()) {
            event.of(connectionId);
            event.stream = stream;
            event.code = code;
            event.commit();
        }
    }

    @Override
    public void hintChanged(long nowNs, int connectionId, long bytesPerSecond) {
        HintChanged event = new HintChanged();
        if (event.isEnabled()) {
            event.of(connectionId);
            event.bytesPerSecond = bytesPerSecond;
            event.commit();
        }
    }
}
