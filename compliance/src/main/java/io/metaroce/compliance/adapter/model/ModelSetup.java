package io.metaroce.compliance.adapter.model;

import io.metaroce.compliance.adapter.Addresses;
import io.metaroce.compliance.adapter.Settings;
import io.metaroce.compliance.utp.UtpException;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import io.metaroce.param.EndpointConfig;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What a model is made with.
 *
 * @param profile name and version of the settings it starts from
 * @param mode how it is compared
 * @param seed of everything that is drawn
 * @param addresses where it receives, by plane
 * @param basePort source port of route 0
 * @param config all settings
 * @param counters whether changes of counters are effects
 * @param data whether placements carry their bytes
 */
public record ModelSetup(
        String profile,
        Mode mode,
        long seed,
        List<Address> addresses,
        int basePort,
        EndpointConfig config,
        boolean counters,
        boolean data) {
    private static final int PLANES_MAX = 16;

    /** How a model is compared. */
    public enum Mode {
        /** A device leads and the model checks. */
        FOLLOW,
        /** The model says what comes, byte by byte. */
        PREDICT,
        /** It is stepped and nothing is kept for comparison. */
        STEP;

        static Mode of(String name) {
            return switch (name) {
                case "follow" -> FOLLOW;
                case "predict" -> PREDICT;
                case "step" -> STEP;
                default -> throw new Refused("E_ARG", "mode is follow, predict or step");
            };
        }

        /** Its name in JSON. */
        public String label() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** What a request {@code new} asks for. */
    public static ModelSetup of(JsonNode arguments) {
        Mode mode = Mode.of(Arguments.text(arguments, "mode", "follow"));
        String profile = Arguments.text(
                arguments, "profile", mode == Mode.PREDICT ? ModelProfiles.DETERMINISED : ModelProfiles.MODEL);
        return new ModelSetup(
                profile,
                mode,
                Arguments.bits(arguments, "seed", 1),
                addresses(arguments),
                (int) Arguments.number(arguments, "base_port", 1, 0xFFFF, 49_152),
                config(profile, arguments),
                Arguments.flag(arguments, "counters", false),
                Arguments.flag(arguments, "data", false));
    }

    private static List<Address> addresses(JsonNode arguments) {
        String usual = switch (Arguments.text(arguments, "role", "responder")) {
            case "initiator" -> "10.0.0.1:49741";
            case "responder" -> "10.0.0.2:49741";
            default -> throw new Refused("E_ARG", "role is initiator or responder");
        };
        List<Address> all = new ArrayList<>();
        for (JsonNode text : arguments.path("addresses")) {
            all.add(address(text.asString("")));
        }
        if (all.size() > PLANES_MAX) {
            throw new Refused("E_ARG", "addresses of at most " + PLANES_MAX + " planes");
        }
        return all.isEmpty() ? List.of(address(usual)) : List.copyOf(all);
    }

    static Address address(String text) {
        try {
            return Addresses.parse(text);
        } catch (IllegalArgumentException e) {
            throw new Refused("E_ARG", String.valueOf(e.getMessage()));
        }
    }

    /** The same as text. */
    public List<String> addressTexts() {
        return addresses.stream().map(Address::toString).toList();
    }

    private static EndpointConfig config(String profile, JsonNode arguments) {
        Settings settings = ModelProfiles.settings(profile);
        try {
            arguments.path("params").properties().forEach(entry -> settings.set(entry.getKey(), entry.getValue()));
            return settings.build();
        } catch (UtpException e) {
            throw new Refused("E_ARG", String.valueOf(e.getMessage()));
        }
    }

    /** How many paths it sends on at most. */
    public int paths() {
        return config.path().paths();
    }

    /** The address that packets of a route leave from. */
    Address source(int plane, int entropy) {
        Address own = addresses.get(Math.min(plane, addresses.size() - 1));
        int port = entropy == Route.SERVICE ? own.port() : ((basePort + entropy - 1) & 0xFFFF) + 1;
        return new Address(own.family(), own.high(), own.low(), Math.min(port, 0xFFFF));
    }

    /** The plane an address belongs to; 0 when it is none of the own ones. */
    int plane(Address to) {
        for (int plane = 0; plane < addresses.size(); plane++) {
            Address own = addresses.get(plane);
            if (own.high() == to.high() && own.low() == to.low()) {
                return plane;
            }
        }
        return 0;
    }
}
