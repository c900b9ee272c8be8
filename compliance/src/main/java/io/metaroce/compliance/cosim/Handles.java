package io.metaroce.compliance.cosim;

import io.metaroce.compliance.adapter.model.Recording;
import io.metaroce.compliance.adapter.model.Refused;
import java.util.Map;
import java.util.TreeMap;

/** The models of a client and their snapshots, by number. */
final class Handles {
    private static final int HANDLES_MAX = 1024;
    private static final int SNAPSHOTS_MAX = 1024;

    private final Map<Integer, Recording> models = new TreeMap<>();
    private final Map<Integer, Recording.Snapshot> snapshots = new TreeMap<>();
    private int nextModel = 1;
    private int nextSnapshot = 1;

    int add(Recording model) {
        models.put(nextModel, model);
        return nextModel++;
    }

    /** There is room for one more model. */
    void requireRoom() {
        if (models.size() >= HANDLES_MAX) {
            throw new Refused("E_LIMIT", HANDLES_MAX + " handles are open; free some");
        }
    }

    int save(Recording model) {
        if (snapshots.size() >= SNAPSHOTS_MAX) {
            throw new Refused("E_LIMIT", SNAPSHOTS_MAX + " snapshots are kept; free some");
        }
        snapshots.put(nextSnapshot, model.snapshot());
        return nextSnapshot++;
    }

    Recording find(int handle) {
        Recording model = models.get(handle);
        if (model == null) {
            throw new Refused("E_HANDLE", "no handle " + handle);
        }
        return model;
    }

    Recording.Snapshot snapshot(int number) {
        Recording.Snapshot snapshot = snapshots.get(number);
        if (snapshot == null) {
            throw new Refused("E_HANDLE", "no snapshot " + number);
        }
        return snapshot;
    }

    void free(int handle) {
        Recording unused = find(handle);
        models.remove(handle);
    }

    void freeSnapshot(int number) {
        Recording.Snapshot unused = snapshot(number);
        snapshots.remove(number);
    }
}
