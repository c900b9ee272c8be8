package io.metaroce.verbs;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What belongs to something and must be closed with it, in the order in which it came: so runs can be repeated. */
final class Registry<T> {
    private final Set<T> members = new LinkedHashSet<>();

    synchronized void add(T member) {
        members.add(member);
    }

    /** Says whether it was there. */
    synchronized boolean remove(T member) {
        return members.remove(member);
    }

    synchronized int size() {
        return members.size();
    }

    /** All members just now. */
    synchronized List<T> all() {
        return List.copyOf(members);
    }
}
