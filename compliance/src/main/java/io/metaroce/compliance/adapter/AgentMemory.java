package io.metaroce.compliance.adapter;

import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.utp.UtpException;
import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.ProtectionDomain;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Memory regions of an agent, each between two strips of guard bytes. Thread rule: the agent's thread. */
final class AgentMemory {
    private static final int GUARD_BYTES = 4096;
    private static final byte GUARD = (byte) 0xA5;

    private final Map<Integer, Region> regions = new TreeMap<>();
    private int nextId = 1;

    /** A region with the buffer it is a part of. */
    record Region(MemoryRegion region, ByteBuffer whole, int length) {}

    MemoryRegion region(JsonNode arguments) {
        return found(arguments).region();
    }

    private Region found(JsonNode arguments) {
        Region region = regions.get(arguments.path("mr").asInt(-1));
        if (region == null) {
            throw new UtpException("E_BADARG", "no region " + arguments.path("mr"));
        }
        return region;
    }

    ObjectNode register(ProtectionDomain domain, JsonNode arguments) {
        int length = arguments.path("len").asInt(0);
        if (length < 1 || length > 64 << 20) {
            throw new UtpException("E_BADARG", "a region of " + length + " bytes");
        }
        ByteBuffer whole = ByteBuffer.allocateDirect(length + 2 * GUARD_BYTES);
        for (int i = 0; i < GUARD_BYTES; i++) {
            whole.put(i, GUARD);
            whole.put(GUARD_BYTES + length + i, GUARD);
        }
        List<AccessFlag> access = new ArrayList<>();
        for (JsonNode flag : arguments.path("access")) {
            access.add(AccessFlag.valueOf(flag.asString().toUpperCase(Locale.ROOT)));
        }
        MemoryRegion region = domain.register(whole.slice(GUARD_BYTES, length), access.toArray(AccessFlag[]::new));
        regions.put(nextId, new Region(region, whole, length));
        return Json.object()
                .put("mr", nextId++)
                .put("rkey", Integer.toUnsignedLong(region.rkey()))
                .put("va", region.address());
    }

    ObjectNode deregister(JsonNode arguments) {
        found(arguments).region().close();
        return Json.object();
    }

    ObjectNode fill(JsonNode arguments) {
        return RegionBytes.fill(bytes(arguments), arguments);
    }

    ObjectNode check(JsonNode arguments) {
        return RegionBytes.check(bytes(arguments), arguments);
    }

    ObjectNode read(JsonNode arguments) {
        return RegionBytes.read(bytes(arguments), arguments);
    }

    private ByteBuffer bytes(JsonNode arguments) {
        Region region = found(arguments);
        return region.whole().slice(GUARD_BYTES, region.length());
    }

    ObjectNode guard(JsonNode arguments) {
        Region region = found(arguments);
        for (int i = 0; i < GUARD_BYTES; i++) {
            if (region.whole().get(i) != GUARD || region.whole().get(GUARD_BYTES + region.length() + i) != GUARD) {
                return Json.object().put("intact", false);
            }
        }
        return Json.object().put("intact", true);
    }
}
