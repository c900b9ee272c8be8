package io.metaroce.compliance.cosim;

import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A device that stands for hardware, the responder of a pair, and a model that follows it: what enters the device
 * enters the model, what the device chose is told, and what it does is expected. All draws of the two differ.
 */
public final class Followed extends Pair {
    private static final Set<String> OWN = Set.of("path", "rebound", "payload", "slot_lost", "timed_out", "hint");

    private final int model;
    private final BiFunction<ObjectNode, Integer, List<ObjectNode>> fault;
    private int peerSeed; // of the trailers of what the device sends
    private final List<String> mismatches = new ArrayList<>();
    private final List<JsonNode> refusals = new ArrayList<>();
    private long compared;

    /** A device whose doings pass through a fault before they are told. */
    public Followed(Session session, Function<ObjectNode, List<ObjectNode>> fault) {
        this(session, (effect, seed) -> fault.apply(effect));
    }

    /** The same for a fault that seals packets anew, with the seed it is given. */
    public Followed(Session session, BiFunction<ObjectNode, Integer, List<ObjectNode>> fault) {
        super(session, "'seed':1,'params':{'cookies':0}".replace('\'', '"'), device(2));
        this.fault = fault;
        model = ask("new", "{" + device(77) + "}").path("h").asInt();
        choose();
    }

    private static String device(int seed) {
        return "\"seed\":" + seed + ",\"params\":{\"cookies\":0,\"paths\":1}";
    }

    /** What the device will choose shows in a run without a model. */
    private void choose() {
        Pair before = new Pair(new Session(SessionTest.CODEC), "\"seed\":1,\"params\":{\"cookies\":0}", device(2));
        String unused = before.transfer();
        Codec codec = SessionTest.CODEC;
        JsonNode asking = before.effects(before.initiator, "TX").get(0);
        Packet request = codec.decode(HexFormat.of().parseHex(asking.path("hex").asString()), 0)
                .whole();
        peerSeed = Objects.requireNonNull(codec.option(request, "CRC_SEED")).int32("crc_seed");
        for (JsonNode sent : before.effects(before.responder, "TX")) {
            if (sent.path("opcode").asInt() == 3) {
                byte[] bytes = HexFormat.of().parseHex(sent.path("hex").asString());
                Packet accept = codec.decode(bytes, 0).whole();
                tell("conn_id", accept.get("resp_conn_id"));
                tell(
                        "crc_seed",
                        Objects.requireNonNull(codec.option(accept, "CRC_SEED")).get("crc_seed"));
                tell(
                        "initial_psn",
                        Objects.requireNonNull(codec.option(accept, "PSN_SEED")).get("psn_seed"));
                return;
            }
        }
        throw new IllegalStateException("nobody accepts");
    }

    private void tell(String point, long value) {
        JsonNode unused = ask("choose", "{'h':" + model + ",'t':0,'point':'" + point + "','value':" + value + "}");
    }

    @Override
    protected void entering(int handle, ObjectNode request) {
        if (handle == responder) {
            ObjectNode same = request.deepCopy().put("h", model);
            JsonNode unused = session.answer(same, 0);
        }
    }

    @Override
    protected void happened(int handle, JsonNode effect) {
        String kind = effect.path("kind").asString();
        boolean isOwn =
                kind.equals("TIMER_FIRE") || OWN.contains(effect.path("what").asString(""));
        if (handle != responder || isOwn) {
            return;
        }
        for (ObjectNode told : fault.apply(((ObjectNode) effect).deepCopy(), peerSeed)) {
            JsonNode reply = session.answer(told.put("op", "expect").put("h", model), 0);
            compared++;
            if (!reply.path("ok").asBoolean()) {
                mismatches.add(reply.path("requirement").asString(""));
                refusals.add(reply);
            }
        }
    }

    /** Requirements the device was found to violate, first one first. */
    public List<String> mismatches() {
        return mismatches;
    }

    /** What the model said about it. */
    public List<JsonNode> refusals() {
        return refusals;
    }

    /** How many doings were compared. */
    public long compared() {
        return compared;
    }

    /** The hash of the model. */
    public String modelHash() {
        return hash(model);
    }

    /** Sends and reads besides the write, so that every kind is met. */
    public void talk() {
        String unused = transfer();
        JsonNode here = command(initiator, "{'do':'mr_reg','len':4096,'access':['local_write','remote_read']}");
        JsonNode there = command(responder, "{'do':'mr_reg','len':4096,'access':['local_write','remote_read']}");
        command(responder, "{'do':'mr_fill','mr':2,'len':4096,'seed':5}");
        long accepted = effects(responder, "STATE").get(0).path("conn").asLong();
        command(responder, "{'do':'post_recv','conn':" + accepted + ",'wr':70,'mr':2,'off':0,'len':1024}");
        run(nowNs() + 100_000);
        command(initiator, "{'do':'post_send','conn':" + conn + ",'wr':10,'mr':1,'len':900,'imm':7}");
        command(
                initiator,
                "{'do':'post_read','conn':" + conn + ",'wr':11,'mr':2,'off':100,'len':3000,'rkey':" + there.path("rkey")
                        + ",'rva':" + there.path("va") + "}");
        run(nowNs() + 1_000_000);
        command(
                responder,
                "{'do':'post_write','conn':" + accepted + ",'wr':71,'mr':2,'len':3000,'rkey':" + here.path("rkey")
                        + ",'rva':" + here.path("va") + "}"); // not permitted there: an error comes back
        run(nowNs() + 1_000_000);
    }
}
