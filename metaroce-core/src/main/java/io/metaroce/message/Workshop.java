package io.metaroce.message;

import io.metaroce.memory.PayloadWindow;
import io.metaroce.memory.Placement;
import io.metaroce.num.Deadline;
import io.metaroce.trace.Counters;

/**
 * The steps that requests, responses and the news of them go through. They keep nothing of a connection from one packet
 * to the next, so one of each serves all connections of an endpoint.
 */
public final class Workshop {
    final Requester requester;
    final Answerer answerer;
    final Responder responder;
    final ResponseReader reader;
    final Completer completer;
    final Flusher flusher;
    final StreamTimers timers;
    final ResponseWatch watch;
    final SentFragments sent;

    /**
     * The steps of one endpoint.
     *
     * @param placement the way into memory
     * @param window where the payload of the packet being written is found or gathered
     * @param sent what the slots of the endpoint carry
     * @param responseNs how long nothing of a response may come
     * @param counters counters of the endpoint
     */
    public Workshop(Placement placement, PayloadWindow window, SentFragments sent, long responseNs, Counters counters) {
        this.sent = sent;
        timers = new StreamTimers();
        flusher = new Flusher(timers, counters);
        watch = new ResponseWatch(flusher, responseNs);
        SendFinisher finisher = new SendFinisher(flusher, watch);
        Scatter scatter = new Scatter(placement);
        requester = new Requester(sent, new Gather(placement, window), timers, flusher);
        answerer = new Answerer(sent, placement, window, counters);
        responder = new Responder(flusher, placement, scatter, new Execution(placement, counters), counters);
        reader = new ResponseReader(scatter, finisher, watch, counters);
        completer = new Completer(timers, finisher, flusher, counters);
    }

    /** Runs the timers of all streams of a connection, if any is due. */
    void onDeadline(long nowNs, Streams streams) {
        if (nowNs < streams.timersNs) {
            return;
        }
        streams.timersNs = Deadline.NEVER;
        for (int i = 0; i < streams.count(); i++) {
            Stream stream = streams.at(i);
            timers.run(nowNs, stream);
            watch.run(nowNs, stream);
            streams.timersNs = Math.min(streams.timersNs, stream.timer.atNs());
        }
    }
}
