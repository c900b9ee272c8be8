package io.metaroce.compliance.adapter.model;

import io.metaroce.compliance.adapter.Settings;
import io.metaroce.compliance.spec.Json;
import io.metaroce.param.Profiles;

/** The named and versioned sets of settings a model starts from. */
final class ModelProfiles {
    /** The reference's own settings. */
    static final String MODEL = "model@1.0";
    /** What is free is pinned as far as settings can pin it. */
    static final String DETERMINISED = "determinised@1.0";

    private ModelProfiles() {}

    /** The settings of a profile, to be changed further. */
    static Settings settings(String profile) {
        Settings settings = new Settings(Profiles.model());
        switch (profile) {
            case MODEL -> {}
            case DETERMINISED -> {
                settings.set("paths", Json.object().put("v", 1).path("v"));
                settings.set("ack_every", Json.object().put("v", 1).path("v"));
            }
            default ->
                throw new Refused("E_ARG", "no profile " + profile + "; known are " + MODEL + ", " + DETERMINISED);
        }
        return settings;
    }
}
