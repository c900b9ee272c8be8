package io.metaroce.compliance.cosim;

import io.metaroce.compliance.adapter.model.Kind;
import io.metaroce.compliance.adapter.model.RecordLog;
import io.metaroce.compliance.adapter.model.RecordText;
import io.metaroce.compliance.spec.Json;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/** How often each kind of record was met, and of what: opcodes received and sent, drop reasons, statuses, states. */
final class Coverage {
    private final long[] kinds = new long[32];
    private final long[] received = new long[256];
    private final long[] sent = new long[256];
    private final long[] drops = new long[64];
    private final long[] statuses = new long[64];
    private final long[] states = new long[64];

    Coverage copy() {
        Coverage copy = new Coverage();
        copy(kinds, copy.kinds);
        copy(received, copy.received);
        copy(sent, copy.sent);
        copy(drops, copy.drops);
        copy(statuses, copy.statuses);
        copy(states, copy.states);
        return copy;
    }

    private static void copy(long[] from, long[] to) {
        System.arraycopy(from, 0, to, 0, from.length);
    }

    void note(RecordLog log) {
        ByteBuffer records = log.records();
        for (int i = 0; i < log.count(); i++) {
            int at = i * RecordLog.RECORD_BYTES;
            int kind = records.get(at + RecordLog.KIND);
            kinds[kind]++;
            int what = (int) records.getLong(at + RecordLog.ARG0);
            if (kind == Kind.RX_ACCEPT.number()) {
                received[what & 0xFF]++;
            } else if (kind == Kind.TX.number()) {
                sent[what & 0xFF]++;
            } else if (kind == Kind.RX_DROP.number()) {
                drops[records.get(at + RecordLog.REASON) & 63]++;
            } else if (kind == Kind.CQE.number()) {
                statuses[records.get(at + RecordLog.REASON) & 63]++;
            } else if (kind == Kind.STATE.number()) {
                states[what & 63]++;
            }
        }
    }

    ObjectNode json() {
        ObjectNode out = Json.object();
        put(out, "kinds", kinds);
        put(out, "rx_opcodes", received);
        put(out, "tx_opcodes", sent);
        put(out, "drop_reasons", drops);
        put(out, "statuses", statuses);
        put(out, "states", states);
        return out;
    }

    private static void put(ObjectNode out, String name, long[] counts) {
        Map<String, Long> met = new TreeMap<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                met.put(RecordText.nameOf(name, i), counts[i]);
            }
        }
        ObjectNode group = out.putObject(name);
        met.forEach(group::put);
    }
}
