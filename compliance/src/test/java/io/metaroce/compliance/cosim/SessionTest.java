package io.metaroce.compliance.cosim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.lt.codec.Codec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Every request of COSIM/1, and what becomes of those that are none. */
class SessionTest {
    static final Codec CODEC = Codec.ofCheckout();

    private final Session session = new Session(CODEC);
    private final Asking asking = new Asking(session);

    @Test
    void aWriteGoesFromOneHandleToAnother() {
        Pair pair = new Pair(session);
        String unused = pair.transfer();
        assertThat(pair.command(pair.responder, "{'do':'mr_check','mr':1,'len':20000,'seed':7}")
                        .path("same")
                        .asBoolean())
                .isTrue();
        List<JsonNode> placed = pair.effects(pair.responder, "PLACE");
        assertThat(placed.stream().mapToInt(place -> place.path("len").asInt()).sum())
                .isEqualTo(20_000);
        assertThat(placed)
                .allSatisfy(place -> assertThat(place.path("by").asString()).isEqualTo("remote"));
        JsonNode done = pair.effects(pair.initiator, "CQE").get(0);
        assertThat(done.path("wr").asInt()).isEqualTo(9);
        assertThat(done.path("status").asString()).isEqualTo("SUCCESS");
        assertThat(done.path("conn").asLong()).isEqualTo(pair.conn);
    }

    @Test
    void effectsComeInTheOrderInWhichTheyAreCommitted() {
        Pair pair = new Pair(session);
        String unused = pair.transfer();
        long last = -1;
        String before = "";
        for (JsonNode effect : pair.effects) {
            if (effect.path("h").asInt() == pair.responder) {
                assertThat(effect.path("order").asLong()).isEqualTo(last + 1);
                last = effect.path("order").asLong();
                if (effect.path("kind").asString().equals("PLACE")) {
                    assertThat(before)
                            .as("what a packet brings follows its verdict")
                            .isEqualTo("RX_ACCEPT");
                }
                before = effect.path("kind").asString();
            }
        }
        assertThat(last).isGreaterThan(10);
    }

    @Test
    void equalInputsGiveEqualRepliesAndOtherSeedsOthers() {
        Pair first = new Pair(session);
        Pair second = new Pair(new Session(CODEC));
        assertThat(first.transfer()).isEqualTo(second.transfer());
        assertThat(first.effects).isEqualTo(second.effects);
        Pair other = new Pair(new Session(CODEC), "\"seed\":3", "\"seed\":2");
        assertThat(other.transfer()).isNotEqualTo(first.hash(first.initiator) + first.hash(first.responder));
    }

    @Test
    void aForkAndASnapshotGoOnAsTheOriginalWould() {
        Pair pair = new Pair(session);
        String unused = pair.transfer();
        JsonNode saved = pair.ask("save", "{'h':" + pair.responder + "}");
        assertThat(saved.path("inputs").asInt()).isGreaterThan(10);
        int fork = pair.ask("fork", "{'h':" + pair.responder + "}").path("h").asInt();
        int loaded = pair.ask("load", "{'s':" + saved.path("s") + "}").path("h").asInt();
        String t = String.valueOf(pair.nowNs() + 30_000_000_000L);
        String straight = pair.ask("advance", "{'h':" + pair.responder + ",'t':" + t + "}")
                .toString();
        assertThat(straight).contains("TIMER_FIRE");
        assertThat(pair.ask("advance", "{'h':" + fork + ",'t':" + t + "}")).hasToString(straight);
        assertThat(pair.ask("advance", "{'h':" + loaded + ",'t':" + t + "}")).hasToString(straight);
        assertThat(pair.hash(fork)).isEqualTo(pair.hash(pair.responder)).isEqualTo(pair.hash(loaded));
        pair.ask("free", "{'s':" + saved.path("s") + "}");
        pair.ask("free", "{'h':" + fork + "}");
        assertThat(refusal("{'op':'hash','h':" + fork + "}")).isEqualTo("E_HANDLE");
        assertThat(refusal("{'op':'load','s':" + saved.path("s") + "}")).isEqualTo("E_HANDLE");
    }

    @Test
    void whatIsFedBeyondTheBoundCannotBeSavedAndRunsOn() {
        int handle = asking.ask("{'op':'new','inputs':2}").path("h").asInt();
        for (int t = 1; t <= 3; t++) {
            asking.ask("{'op':'advance','h':" + handle + ",'t':" + t + "}");
        }
        assertThat(refusal("{'op':'save','h':" + handle + "}")).isEqualTo("E_LIMIT");
        assertThat(refusal("{'op':'fork','h':" + handle + "}")).isEqualTo("E_LIMIT");
        asking.ask("{'op':'advance','h':" + handle + ",'t':4}");
    }

    @Test
    void whatIsTooMuchForOneReplyComesInSeveral() {
        Pair pair = new Pair(session, "\"seed\":1", "\"seed\":2,\"params\":{\"keepalive_ms\":1,\"dead_ms\":3600000}");
        String unused = pair.transfer();
        int fork =
                asking.ask("{'op':'fork','h':" + pair.responder + "}").path("h").asInt();
        long untilNs = pair.nowNs() + 10_000_000_000L;
        String rest = ",'t':" + untilNs + ",'from':'10.0.0.1:7','hex':'00'}";
        List<JsonNode> straight = advanced(pair.responder, untilNs);
        assertThat(straight).hasSizeGreaterThan(4096);
        assertThat(refusal("{'op':'rx','h':" + fork + rest)).isEqualTo("E_MORE");
        int again = asking.ask("{'op':'fork','h':" + fork + "}").path("h").asInt();
        assertThat(advanced(fork, untilNs)).isEqualTo(straight);
        assertThat(advanced(again, untilNs)).as("replayed in the middle of it").isEqualTo(straight);
        String last = asking.ask("{'op':'rx','h':" + pair.responder + rest).toString();
        assertThat(asking.ask("{'op':'rx','h':" + fork + rest)).hasToString(last);
        assertThat(pair.hash(fork)).isEqualTo(pair.hash(pair.responder));
    }

    @Test
    void whatWasRefusedAtAnInstantIsReplayedAtThatInstant() {
        int handle = asking.ask("{'op':'new'}").path("h").asInt();
        asking.ask("{'op':'advance','h':" + handle + ",'t':100}");
        assertThat(refusal("{'op':'cmd','h':" + handle + ",'t':100,'do':'fly'}"))
                .isEqualTo("E_UNSUPPORTED");
        assertThat(refusal("{'op':'rx','h':" + handle + ",'t':900,'plane':3,'from':'10.0.0.1:7','hex':'00'}"))
                .isEqualTo("E_ARG");
        int fork = asking.ask("{'op':'fork','h':" + handle + "}").path("h").asInt();
        for (int each : new int[] {handle, fork}) {
            assertThat(refusal("{'op':'rx','h':" + each + ",'t':899,'from':'10.0.0.1:7','hex':'00'}"))
                    .isEqualTo("E_TIME");
            JsonNode reply = asking.ask("{'op':'rx','h':" + each + ",'t':900,'from':'10.0.0.1:7','hex':'00'}");
            assertThat(reply.path("reached").asLong()).isEqualTo(900);
        }
    }

    @Test
    void connectionsThatAreRefusedKeepNoQueuePairs() {
        int handle = asking.ask("{'op':'new'}").path("h").asInt();
        String connect = "{'op':'cmd','h':" + handle + ",'t':1,'do':'connect','streams':32,'to':'";
        for (int i = 0; i < 100; i++) {
            assertThat(refusal(connect + "nowhere'}")).isEqualTo("E_ARG");
        }
        asking.ask(connect + "10.0.0.1:7'}");
    }

    private List<JsonNode> advanced(int handle, long untilNs) {
        List<JsonNode> all = new ArrayList<>();
        boolean hasMore = true;
        while (hasMore) {
            JsonNode reply = asking.ask("{'op':'advance','h':" + handle + ",'t':" + untilNs + "}");
            assertThat(reply.path("effects").size()).isLessThanOrEqualTo(4200);
            reply.path("effects").forEach(all::add);
            hasMore = reply.path("more").asBoolean(false);
        }
        return all;
    }

    @Test
    void aDropNamesItsReasonAndTheRequirement() {
        int handle = asking.ask("{'op':'new'}").path("h").asInt();
        JsonNode dropped = asking.ask("{'op':'rx','h':" + handle + ",'t':5,'from':'10.0.0.1:7','hex':'1001'}")
                .path("effects")
                .path(0);
        assertThat(dropped.path("kind").asString()).isEqualTo("RX_DROP");
        assertThat(dropped.path("reason").asString()).isEqualTo("short");
        assertThat(dropped.path("requirement").asString()).isEqualTo("R-HDR-002");
    }

    @Test
    void countersAreEffectsWhereTheyAreAskedFor() {
        int handle = asking.ask("{'op':'new','counters':true}").path("h").asInt();
        assertThat(asking.ask("{'op':'rx','h':" + handle + ",'t':5,'from':'10.0.0.1:7','hex':''}")
                        .toString())
                .contains("\"name\":\"rx_packets\",\"value\":1", "\"name\":\"drop_short\"");
    }

    @Test
    void whatIsNoRequestGetsAnErrorAndChangesNothing() {
        int handle = asking.ask("{'op':'new'}").path("h").asInt();
        asking.ask("{'op':'advance','h':" + handle + ",'t':100}");
        String before =
                asking.ask("{'op':'state','h':" + handle + ",'level':'model'}").toString();
        String h = "'h':" + handle + ",";
        assertThat(refusal("[1]")).isEqualTo("E_PARSE");
        assertThat(refusal("{}")).isEqualTo("E_OP");
        assertThat(refusal("{'op':'no such'}")).isEqualTo("E_OP");
        assertThat(refusal("{'op':7}")).isEqualTo("E_ARG");
        assertThat(refusal("{'op':'advance','h':99,'t':1}")).isEqualTo("E_HANDLE");
        assertThat(refusal("{'op':'advance','t':1}")).isEqualTo("E_ARG");
        assertThat(refusal("{'op':'advance'," + h + "'t':99}")).isEqualTo("E_TIME");
        assertThat(refusal("{'op':'advance'," + h + "'t':-1}")).isEqualTo("E_ARG");
        assertThat(refusal("{'op':'advance'," + h + "'t':1.5}")).isEqualTo("E_ARG");
        assertThat(refusal("{'op':'rx'," + h + "'t':100,'from':'nowhere','hex':''}"))
                .isEqualTo("E_ARG");
        assertThat(refusal("{'op':'rx'," + h + "'t':100,'from':'1.2.3.4:5','hex':'0'}"))
                .isEqualTo("E_ARG");
        assertThat(refusal("{'op':'rx'," + h + "'t':100,'from':'1.2.3.4:5','hex':'00','plane':3}"))
                .isEqualTo("E_ARG");
        assertThat(refusal("{'op':'cmd'," + h + "'t':100,'do':'fly'}")).isEqualTo("E_UNSUPPORTED");
        assertThat(refusal("{'op':'cmd'," + h + "'t':100,'do':'post_send','conn':1}"))
                .isEqualTo("E_STATE");
        assertThat(refusal("{'op':'cmd'," + h + "'t':100,'do':'mr_reg','len':0}"))
                .isEqualTo("E_ARG");
        assertThat(refusal("{'op':'cmd'," + h + "'t':100,'do':'connect','to':'x'}"))
                .isEqualTo("E_ARG");
        assertThat(refusal("{'op':'state'," + h + "'level':'all'}")).isEqualTo("E_ARG");
        assertThat(refusal("{'op':'new','profile':'best@9'}")).isEqualTo("E_ARG");
        assertThat(refusal("{'op':'new','params':{'paths':0}}")).isEqualTo("E_ARG");
        assertThat(refusal("{'op':'new','params':{'no':0}}")).isEqualTo("E_ARG");
        assertThat(asking.ask("{'op':'state'," + h + "'level':'model'}")).hasToString(before);
    }

    @Test
    void regionsAreReadAndWrittenWithinTheirBounds() {
        int handle = asking.ask("{'op':'new'}").path("h").asInt();
        String cmd = "{'op':'cmd','h':" + handle + ",'t':0,";
        asking.ask(cmd + "'do':'mr_reg','len':16,'access':[]}");
        asking.ask(cmd + "'do':'mr_fill','mr':1,'off':2,'hex':'abcd'}");
        assertThat(asking.ask(cmd + "'do':'mr_read','mr':1,'off':1,'len':4}")
                        .path("answer")
                        .path("hex")
                        .asString())
                .isEqualTo("00abcd00");
        assertThat(refusal(cmd + "'do':'mr_fill','mr':1,'off':15,'hex':'abcd'}"))
                .isEqualTo("E_ARG");
        assertThat(refusal(cmd + "'do':'mr_fill','mr':1,'hex':'abc'}")).isEqualTo("E_ARG");
        assertThat(refusal(cmd + "'do':'mr_fill','mr':1,'off':-1,'len':2}")).isEqualTo("E_ARG");
        assertThat(refusal(cmd + "'do':'mr_read','mr':1,'off':10,'len':2000000000}"))
                .isEqualTo("E_ARG");
        assertThat(refusal(cmd + "'do':'mr_read','mr':2}")).isEqualTo("E_ARG");
        asking.ask(cmd + "'do':'mr_dereg','mr':1}");
        assertThat(refusal(cmd + "'do':'mr_read','mr':1}")).isEqualTo("E_ARG");
    }

    private String refusal(String json) {
        JsonNode reply = asking.reply(json);
        assertThat(reply.path("ok").asBoolean()).as(json + " " + reply).isFalse();
        assertThat(reply.path("msg").asString()).isNotEmpty();
        return reply.path("err").asString();
    }
}
