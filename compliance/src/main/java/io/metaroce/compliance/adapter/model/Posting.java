package io.metaroce.compliance.adapter.model;

import io.metaroce.compliance.spec.Json;
import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.WrOpcode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Posts work requests. */
final class Posting {
    private final ModelMemory memory;
    private final QueuePairs pairs;

    Posting(ModelMemory memory, QueuePairs pairs) {
        this.memory = memory;
        this.pairs = pairs;
    }

    ObjectNode call(String name, JsonNode arguments) {
        switch (name) {
            case "post_recv" -> receive(arguments);
            case "post_send" ->
                send(
                        arguments.has("inv")
                                ? WrOpcode.SEND_WITH_INV
                                : arguments.has("imm") ? WrOpcode.SEND_WITH_IMM : WrOpcode.SEND,
                        arguments);
            case "post_write" ->
                send(arguments.has("imm") ? WrOpcode.RDMA_WRITE_WITH_IMM : WrOpcode.RDMA_WRITE, arguments);
            case "post_read" -> send(WrOpcode.RDMA_READ, arguments);
            case "post_cas" -> send(WrOpcode.ATOMIC_CMP_AND_SWP, arguments);
            case "post_faa" -> send(WrOpcode.ATOMIC_FETCH_AND_ADD, arguments);
            case "post_swap" -> send(WrOpcode.ATOMIC_SWP, arguments);
            default -> throw new Refused("E_UNSUPPORTED", "no command " + name);
        }
        return Json.object();
    }

    private void receive(JsonNode arguments) {
        QueuePairs.Pair pair = pairs.find(arguments);
        long wr = Arguments.bits(arguments, "wr", 0);
        int length = length(arguments, "len");
        int lkey = length == 0 ? 0 : memory.region(arguments).key();
        long offset = Arguments.number(arguments, "off", 0, Long.MAX_VALUE, 0);
        ReceiveCell cell = pair.receives().acquire();
        if (cell == null) {
            throw new Refused(
                    "E_LIMIT", "the receive queue of " + pair.receives().depth() + " is full");
        }
        cell.wrId(wr);
        if (length > 0) {
            cell.addSge(lkey, offset, length);
        }
        pair.receives().post(cell);
        pair.receives().ring();
    }

    private static int length(JsonNode arguments, String name) {
        return (int) Arguments.number(arguments, name, 0, Integer.MAX_VALUE, 0);
    }

    // What may be refused comes before the cell is acquired: whoever acquires one posts it.
    private void send(WrOpcode opcode, JsonNode arguments) {
        QueuePairs.Pair pair = pairs.find(arguments);
        int length = opcode.isAtomic() ? Long.BYTES : length(arguments, "len");
        int lkey = length == 0 ? 0 : memory.region(arguments).key();
        long offset = Arguments.number(arguments, "off", 0, Long.MAX_VALUE, 0);
        long wr = Arguments.bits(arguments, "wr", 0);
        int rkey = Arguments.bits32(arguments, "rkey", 0);
        long address = Arguments.bits(arguments, "rva", 0);
        int immediate = Arguments.bits32(arguments, "imm", 0);
        int invalidated = Arguments.bits32(arguments, "inv", 0);
        long a = Arguments.bits(arguments, "a", 0);
        long b = Arguments.bits(arguments, "b", 0);
        int flags = flags(arguments);
        SendCell cell = pair.sends().acquire();
        if (cell == null) {
            throw new Refused("E_LIMIT", "the send queue of " + pair.sends().depth() + " is full");
        }
        cell.wrId(wr)
                .opcode(opcode)
                .flags(flags)
                .rkey(rkey)
                .remoteAddress(address)
                .immediate(immediate)
                .invalidateRkey(invalidated)
                .compareAdd(a)
                .swap(b);
        if (length > 0) {
            cell.addSge(lkey, offset, length);
        }
        pair.sends().post(cell);
        pair.sends().ring();
    }

    private static int flags(JsonNode arguments) {
        int flags = SendFlags.SIGNALED;
        for (JsonNode flag : arguments.path("flags")) {
            flags |= switch (flag.asString("")) {
                case "FENCE" -> SendFlags.FENCE;
                case "SIGNALED" -> SendFlags.SIGNALED;
                case "SOLICITED" -> SendFlags.SOLICITED;
                case "ORDERED" -> SendFlags.ORDERED;
                default -> throw new Refused("E_ARG", "flag " + flag + " is not known");
            };
        }
        return flags;
    }
}
