package io.metaroce.compliance.cosim;

import io.metaroce.compliance.adapter.model.Refused;
import java.util.Map;
import java.util.TreeMap;

/** The models of a client and their snapshots, by number. */
final class Handles {
    private static final int HANDLES_MAX = 256;
    private static final int SNAPSHOTS_MAX = 1024;

    private final Map<Integer, Handle> models = new TreeMap<>();
    private final Map<Integer, Handle.Snapshot> snapshots = new TreeMap<>();
    private int nextModel = 1;
    private int nextSnapshot = 1;

    int add(Handle model) {
        models.put(nextModel, model);
        return nextModel++;
    }

    /** There is room for one more model. */
    void requireRoom() {
        if (models.size() >= HANDLES_MAX) {
            throw new Refused("E_LIMIT", HANDLES_MAX + " handles are open; free some");
        }
    }

    int save(Handle model) {
        if (snapshots.size() >= SNAPSHOTS_MAX) {
            throw new Refused("E_LIMIT", SNAPSHOTS_MAX + " snapshots are kept; free some");
        }
        snapshots.put(nextSnapshot, model.snapshot());
        return nextSnapshot++;
    }

    Handle find(int handle) {
        Handle model = models.get(handle);
        if (model == null) {
            throw new Refused("E_HANDLE", "no handle " + handle);
        }
        return model;
    }

    Handle.Snapshot snapshot(int number) {
        Handle.Snapshot snapshot = snapshots.get(number);
        if (snapshot == null) {
            throw new Refused("E_HANDLE", "no snapshot " + number);
        }
        return snapshot;
    }

    void free(int handle) {
        Handle unused = find(handle);
        models.remove(handle);
    }

    void freeSnapshot(int number) {
        Handle.Snapshot unused = snapshot(number);
        snapshots.remove(number);
    }
}
