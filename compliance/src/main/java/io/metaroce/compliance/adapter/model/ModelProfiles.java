package io.metaroce.compliance.adapter.model;

import io.metaroce.compliance.adapter.Settings;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Json;
import io.metaroce.param.EndpointLimits;
import io.metaroce.param.Profiles;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The named and versioned sets of settings a model starts from, as {@code spec/profiles.json} lists them. */
public final class ModelProfiles {
    /** The reference's own settings. */
    static final String MODEL = "model@1.0";
    /** What is free is pinned as far as settings can pin it. */
    static final String DETERMINISED = "determinised@1.0";

    // Many models stand side by side, and each sets its memory aside: about a megabyte with these.
    private static final EndpointLimits LIMITS = new EndpointLimits(64, 1 << 13, 1024, 64, 64);
    private static final JsonNode REGISTRY = Json.read(Checkout.spec().resolve("profiles.json"));

    private ModelProfiles() {}

    /** The registry of settings and profiles. */
    public static JsonNode registry() {
        return REGISTRY;
    }

    /** The names of all profiles. */
    public static List<String> names() {
        List<String> names = new ArrayList<>();
        REGISTRY.path("profiles")
                .forEach(profile -> names.add(profile.path("id").asString()));
        return names;
    }

    /** The settings of a profile, to be changed further. */
    static Settings settings(String name) {
        for (JsonNode profile : REGISTRY.path("profiles")) {
            if (profile.path("id").asString().equals(name)) {
                Settings settings = new Settings(Profiles.model().withLimits(LIMITS));
                profile.path("set").properties().forEach(entry -> settings.set(entry.getKey(), entry.getValue()));
                return settings;
            }
        }
        throw new Refused("E_ARG", "no profile " + name + "; known are " + String.join(", ", names()));
    }
}
