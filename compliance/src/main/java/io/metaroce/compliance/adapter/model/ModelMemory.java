package io.metaroce.compliance.adapter.model;

import io.metaroce.compliance.adapter.RegionBytes;
import io.metaroce.compliance.spec.Json;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.memory.RegionTable;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The memory of a model: regions by small numbers. */
final class ModelMemory {
    private static final long BASE = 0x10_0000_0000L;
    private static final int BYTES_MAX = 256 << 20; // of all regions together

    private final Map<Integer, Region> regions = new TreeMap<>();
    private final Map<Integer, Region> byKey = new TreeMap<>();
    private int nextNumber = 1;
    private long bytes;

    private record Region(MemoryRegion region, ByteBuffer memory) {}

    ObjectNode register(RegionTable table, JsonNode arguments) {
        int length = (int) Arguments.number(arguments, "len", 1, 64 << 20);
        if (bytes + length > BYTES_MAX) {
            throw new Refused("E_LIMIT", "regions of " + BYTES_MAX + " bytes in all; deregister some");
        }
        int access = 0;
        for (JsonNode flag : arguments.path("access")) {
            access |= access(flag.asString(""));
        }
        int domain = (int) Arguments.number(arguments, "pd", 0, 255, 0);
        ByteBuffer memory = ByteBuffer.allocateDirect(length);
        Region made = new Region(table.register(domain, memory, BASE + ((long) nextNumber << 32), access), memory);
        regions.put(nextNumber, made);
        byKey.put(made.region().key(), made);
        bytes += length;
        return Json.object()
                .put("mr", nextNumber++)
                .put("rkey", Integer.toUnsignedLong(made.region().key()))
                .put("va", made.region().base());
    }

    private static int access(String flag) {
        return switch (flag) {
            case "local_write" -> Access.LOCAL_WRITE;
            case "remote_write" -> Access.REMOTE_WRITE;
            case "remote_read" -> Access.REMOTE_READ;
            case "remote_atomic" -> Access.REMOTE_ATOMIC;
            default -> throw new Refused("E_ARG", "access " + flag + " is not known");
        };
    }

    ObjectNode deregister(RegionTable table, JsonNode arguments) {
        Region gone = find(arguments);
        table.deregister(gone.region());
        regions.values().remove(gone);
        byKey.remove(gone.region().key());
        bytes -= gone.region().length();
        return Json.object();
    }

    ObjectNode fill(JsonNode arguments) {
        return RegionBytes.fill(find(arguments).memory(), arguments);
    }

    ObjectNode check(JsonNode arguments) {
        return RegionBytes.check(find(arguments).memory(), arguments);
    }

    ObjectNode read(JsonNode arguments) {
        return RegionBytes.read(find(arguments).memory(), arguments);
    }

    /** The region a command names. */
    MemoryRegion region(JsonNode arguments) {
        return find(arguments).region();
    }

    /** What lies in a region. */
    ByteBuffer bytes(MemoryRegion region) {
        Region found = byKey.get(region.key());
        if (found == null) {
            throw new IllegalStateException(region + " is not of this model");
        }
        return found.memory();
    }

    /** All regions, in the order in which they were registered. */
    Iterable<MemoryRegion> all() {
        return regions.values().stream().map(Region::region).toList();
    }

    private Region find(JsonNode arguments) {
        int number = (int) Arguments.number(arguments, "mr", 1, Integer.MAX_VALUE);
        Region region = regions.get(number);
        if (region == null) {
            throw new Refused("E_ARG", "no region " + number);
        }
        return region;
    }
}
