package io.metaroce.tools;

import io.metaroce.bench.micro.MicroRun;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What the micro benchmarks write; running one takes seconds. */
class MicroJsonTest {
    @Test
    void aScoreOfOneIterationHasNoSpread() throws Exception {
        ObjectNode root = new JsonMapper().createObjectNode().put("schema_version", 1);
        BenchCommand.Micro.fill(
                root,
                List.of(
                        new MicroRun.Score("AckBench.read", 10.5, 11, 0.25, 0),
                        new MicroRun.Score("AckBench.write", 10.5, 11, Double.NaN, 16)));
        JsonSchema.named("bench-micro").accepts(root.toString());
    }
}
