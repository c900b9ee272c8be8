package io.metaroce.tools.lab;

import io.metaroce.sim.InvariantViolation;
import io.metaroce.sim.SimLimitException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * One run: one case of a scenario with one seed.
 *
 * @param scenario name of the scenario
 * @param caseName name of the case
 * @param experiment what is done
 * @param knobs everything it is told
 * @param events what happens to the fabric
 * @param seed the seed
 */
record Cell(String scenario, String caseName, String experiment, Knobs knobs, List<Event> events, long seed) {
    private static final int DIGITS = 12;

    /** A name that no other cell has, and that the same cell always has. */
    String id() {
        String told = experiment + knobs + events + seed;
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(told.getBytes(StandardCharsets.UTF_8));
            return String.join(
                    "-",
                    scenario,
                    caseName.replaceAll("[^A-Za-z0-9.]+", "_"),
                    "s" + seed,
                    HexFormat.of().formatHex(hash).substring(0, DIGITS));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    /** Runs it. An experiment that cannot go on is a result too: it says why. */
    CellResult run() {
        Experiment chosen = Experiment.named(experiment, knobs, events);
        try {
            return new CellResult(chosen.run(knobs, seed), chosen.series(), "");
        } catch (IllegalStateException | SimLimitException | InvariantViolation e) {
            return CellResult.failed(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public String toString() {
        return scenario + " " + caseName + ", seed " + seed;
    }
}
