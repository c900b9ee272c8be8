package io.metaroce.compliance.adapter.model;

import io.metaroce.compliance.spec.Json;
import io.metaroce.engine.ArchView;
import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.PathView;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a device chose: whether it might, and what the model does to follow it. */
final class Choices {
    private static final int NOBODY = 0; // no connection has this number
    private static final int FAILURE = 1;
    private static final int VOLUNTARY = 2;
    private static final int OWN_DRAW = 3;

    private final Model model;
    private final ChosenEntropy.Chosen chosen;

    Choices(Model model, ChosenEntropy.Chosen chosen) {
        this.model = model;
        this.chosen = chosen;
    }

    /** Follows a choice that might be made; refuses others. */
    void choose(int number, long value, int connection, int path) {
        switch (ChoicePoint.of(number)) {
            case PATH_SELECT -> selectPath(value, connection);
            case ACK_NOW -> acknowledge(value, connection);
            case TIMER_FIRE_TIME -> fire(value);
            case INITIAL_PSN -> chosen.psnSeeds.add(value);
            case CONN_ID -> number(value);
            case CRC_SEED -> chosen.crcSeeds.add(value);
            case NONCE -> chosen.nonces.add(value);
            case REBIND -> rebind((int) (value >>> 32), (int) value, connection, path);
            case CQE_BATCH -> {} // order is compared, not how many are told at once
            case RTX_PACE -> throw unsupported("rtx_pace", "the pacer of the model goes by its own windows");
            case RATE_SHARE -> throw unsupported("rate_share", "the allocator of the model gives its own shares");
            case PROBE_TIME -> throw unsupported("probe_time", "the probe timers of the model are its own");
        }
    }

    private static Refused unsupported(String point, String why) {
        return new Refused("E_UNSUPPORTED", point + " cannot be followed: " + why);
    }

    private static Refused forbidden(String requirement, String why, List<Long> legal) {
        ObjectNode details = Json.object().put("requirement", requirement);
        ArrayNode set = details.putArray("legal");
        legal.forEach(set::add);
        return new Refused("E_FORBIDDEN", why, details);
    }

    private void number(long value) {
        int id = (int) value;
        if (id == NOBODY || model.endpoint().view(id) != null || value != (value & 0xFFFF_FFFFL)) {
            throw forbidden("R-CONN-005", "number " + value + " is in use, or none", List.of());
        }
        chosen.connectionIds.add(value);
    }

    private int connection(int told) {
        Endpoint endpoint = model.endpoint();
        if (told != NOBODY) {
            return told;
        }
        List<Integer> all = endpoint.connectionIds();
        if (all.size() != 1) {
            throw new Refused("E_ARG", "conn is missing, and there are " + all.size() + " connections");
        }
        return all.get(0);
    }

    private ConnectionView view(int told) {
        int id = connection(told);
        ConnectionView view = model.endpoint().view(id);
        if (view == null) {
            throw new Refused("E_STATE", "no connection " + Integer.toUnsignedLong(id));
        }
        return view;
    }

    private void selectPath(long value, int connection) {
        List<Long> legal = new ArrayList<>();
        for (PathView path : view(connection).paths()) {
            if (path.state().equals("ACTIVE")) {
                legal.add((long) path.id());
            }
        }
        if (!legal.contains(value)) {
            throw forbidden("R-HEALTH-001", "path " + value + " gets no new slots now", legal);
        }
        if (legal.size() > 1) {
            throw unsupported("path_select", "the scheduler of the model draws its own path; use params paths 1");
        }
    }

    private void acknowledge(long value, int connection) {
        ArchView view = ArchView.of(model.endpoint(), connection(connection));
        List<Long> legal = new ArrayList<>();
        if (view != null) {
            view.inbound().forEach(path -> legal.add((long) path.id()));
        }
        if (!legal.contains(value)) {
            throw forbidden("R-ACK-004", "nothing has come on path " + value, legal);
        }
    }

    private void fire(long value) {
        long next = model.nextNs();
        if (next == Model.NEVER
                || value < next
                || value < model.nowNs()
                || value - next > model.endpoint().pauseNs()) {
            throw unsupported(
                    "timer_fire_time",
                    "the earliest timer of the model is due at " + (next == Model.NEVER ? "no time" : next + " ns")
                            + ", and one that is more than " + model.endpoint().pauseNs() + " ns late is a pause");
        }
        model.fireLate(value);
    }

    private void rebind(int cause, int route, int connection, int number) {
        ConnectionView view = view(connection);
        if (number >= view.paths().size()) {
            throw new Refused("E_ARG", "no path " + number);
        }
        PathView path = view.paths().get(number);
        switch (cause) {
            case FAILURE -> failed(view, path, route);
            case VOLUNTARY -> voluntary(view, path);
            case OWN_DRAW -> {
                if (path.borrowed()) {
                    throw forbidden("R-HEALTH-005", "no challenge of path " + number + " was echoed yet", List.of());
                }
            }
            default -> throw new Refused("E_ARG", "cause is 1, 2 or 3");
        }
        if (path.entropy() != route) {
            throw unsupported("rebind", "the model moved path " + number + " to route " + path.entropy());
        }
    }

    private static void failed(ConnectionView view, PathView path, int route) {
        List<Long> legal = new ArrayList<>();
        for (PathView other : view.paths()) {
            if (other.id() != path.id() && other.state().equals("ACTIVE") && !other.borrowed()) {
                legal.add((long) other.entropy());
            }
        }
        if (path.state().equals("ACTIVE") && !path.borrowed()) {
            throw forbidden("R-HEALTH-002", "the failure of path " + path.id() + " is not confirmed", List.of());
        }
        if (!legal.contains((long) route)) {
            throw forbidden("R-PATH-017", "route " + route + " is not that of a healthy ACTIVE path", legal);
        }
    }

    private void voluntary(ConnectionView view, PathView path) {
        ArchView arch = ArchView.of(model.endpoint(), view.id());
        if (arch != null && arch.outbound().get(path.id()).unacked() > 0) {
            throw forbidden("R-PATH-015", "path " + path.id() + " has slots unacknowledged", List.of());
        }
    }
}
