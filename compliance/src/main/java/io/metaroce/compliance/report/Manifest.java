package io.metaroce.compliance.report;

import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.spec.Sha256;
import io.metaroce.compliance.tests.Catalogue;
import java.io.IOException;
import java.nio.file.Path;
import tools.jackson.databind.node.ObjectNode;

/** What a report was made of: texts, implementation, declaration, seed, and a hash of every other file. */
final class Manifest {
    static final String NAME = "manifest.json";

    private Manifest() {}

    static ObjectNode of(Outcome outcome, Path folder) throws IOException {
        Path spec = Checkout.spec();
        ObjectNode root = Json.object().put("schema", "compliance-manifest@1");
        root.putObject("suite")
                .put("spec", "MetaRoCE open draft 1")
                .put("tests", Catalogue.all().size())
                .put("requirements_sha256", Sha256.of(spec.resolve("requirements.json")))
                .put("packets_sha256", Sha256.of(spec.resolve("wire/packets.json")))
                .put("vectors_sha256", Sha256.of(spec.resolve("vectors")));
        root.put("target", outcome.target().name())
                .put("clock", outcome.target().clock())
                .put("profile", outcome.profileName())
                .put("seed", outcome.seed());
        root.set("implementation", outcome.target().about().path("iut"));
        root.set("claims", outcome.target().about().path("caps"));
        root.set("declaration", outcome.declaration().json());
        ObjectNode files = root.putObject("files");
        for (Path file : Sha256.files(folder)) {
            String name = Sha256.name(folder, file);
            if (!name.equals(NAME)) {
                files.put(name, Sha256.of(file));
            }
        }
        return root;
    }
}
