package io.metaroce.queue;

/** A work request on its way: filled by whoever has acquired it, read by the endpoint's thread. */
abstract class WorkCell extends Cell {
    WorkCell(Object home) {
        super(home);
    }

    /** Makes it as new for whoever fills it next. */
    abstract void clear();
}
