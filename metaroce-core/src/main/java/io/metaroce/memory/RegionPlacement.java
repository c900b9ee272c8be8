package io.metaroce.memory;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Placement into the regions of a table: checks, then one bulk copy (two where chunks meet). Endpoint thread. */
public final class RegionPlacement implements Placement {
    private final RegionTable regions;

    /** Places into the regions of this table. */
    public RegionPlacement(RegionTable regions) {
        this.regions = regions;
    }

    @Override
    public PlacementFault place(int domain, int rkey, long address, ByteBuffer from, int fromOffset, int length) {
        // R-MEM-008: no bytes, no key.
        if (length == 0) {
            return PlacementFault.NONE;
        }
        MemoryRegion region = regions.find(rkey);
        long offset = region == null ? 0 : address - region.base();
        PlacementFault fault = check(region, domain, offset, length, Access.REMOTE_WRITE);
        put(region, fault, offset, from, fromOffset, length, PlacementTap.Right.REMOTE);
        return fault;
    }

    @Override
    public PlacementFault placeLocal(int domain, int lkey, long offset, ByteBuffer from, int fromOffset, int length) {
        if (length == 0) {
            return PlacementFault.NONE;
        }
        MemoryRegion region = regions.find(lkey);
        PlacementFault fault = check(region, domain, offset, length, Access.LOCAL_WRITE);
        put(region, fault, offset, from, fromOffset, length, PlacementTap.Right.LOCAL);
        return fault;
    }

    @Override
    public PlacementFault checkRemote(int domain, int rkey, long address, long length, int access) {
        // R-MEM-008: no bytes, no key.
        if (length == 0) {
            return PlacementFault.NONE;
        }
        MemoryRegion region = regions.find(rkey);
        return check(region, domain, region == null ? 0 : address - region.base(), length, access);
    }

    @Override
    public PlacementFault checkLocal(int domain, int lkey, long offset, long length, int access) {
        return length == 0 ? PlacementFault.NONE : check(regions.find(lkey), domain, offset, length, access);
    }

    @Override
    public PlacementFault checkAtomic(int domain, int rkey, long address) {
        PlacementFault fault = checkRemote(domain, rkey, address, Long.BYTES, Access.REMOTE_ATOMIC);
        return fault == PlacementFault.NONE && (address & 7) != 0 ? PlacementFault.ALIGNMENT : fault;
    }

    @Override
    public long load(int rkey, long address) {
        MemoryRegion region = checked(rkey);
        return region.getLong(address - region.base());
    }

    @Override
    public void store(int rkey, long address, long value) {
        MemoryRegion region = checked(rkey);
        region.putLong(address - region.base(), value);
        regions.placed(region, address - region.base(), Long.BYTES, PlacementTap.Right.ATOMIC);
    }

    @Override
    public PlacementFault invalidate(int domain, int rkey) {
        MemoryRegion region = regions.find(rkey);
        if (region == null) {
            return PlacementFault.KEY;
        }
        if (region.domain() != domain) {
            return PlacementFault.DOMAIN;
        }
        if ((region.access() & Access.REMOTE) == 0) {
            return PlacementFault.ACCESS;
        }
        regions.deregister(region);
        return PlacementFault.NONE;
    }

    /** R-MEM-002's checks, in the order in which their faults are told. {@code length} is not 0. */
    static PlacementFault check(@Nullable MemoryRegion region, int domain, long offset, long length, int access) {
        // R-MEM-002: key, domain, permission and bounds, before any byte of a packet is placed.
        if (region == null) {
            return PlacementFault.KEY;
        }
        if (region.domain() != domain) {
            return PlacementFault.DOMAIN;
        }
        if (!region.allows(access)) {
            return PlacementFault.ACCESS;
        }
        return region.holds(offset, length) ? PlacementFault.NONE : PlacementFault.BOUNDS;
    }

    private void put(
            @Nullable MemoryRegion region,
            PlacementFault fault,
            long offset,
            ByteBuffer from,
            int fromOffset,
            int length,
            PlacementTap.Right right) {
        // R-MEM-003: a failed check places nothing of the packet.
        if (region != null && fault == PlacementFault.NONE) {
            region.put(offset, from, fromOffset, length);
            regions.placed(region, offset, length, right);
        }
    }

    private MemoryRegion checked(int rkey) {
        MemoryRegion region = regions.find(rkey);
        if (region == null) {
            throw new IllegalStateException("key 0x" + Integer.toHexString(rkey) + " was not checked");
        }
        return region;
    }
}
