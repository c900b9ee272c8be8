package io.metaroce.compliance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The worked example in Verilog: a receive window that agrees with the model slot by slot, and two that do not. */
class VerilogTest {
    private static final String SCRIPT = Foreign.client("verilog/run.sh").toString();

    @BeforeEach
    void needs() throws InterruptedException {
        Foreign.needs("python3", "--version");
        Foreign.needs("iverilog", "-V");
    }

    @Test
    void theWindowAgreesWithTheModel() throws Exception {
        Foreign.Run run = Foreign.run(List.of(SCRIPT));
        assertThat(run.code()).as(run.said()).isZero();
        assertThat(run.said()).contains(" slots agree", " beyond the window", "39 of 39 bins");
    }

    @ParameterizedTest
    @CsvSource({"1, R-PATH-004", "2, R-PATH-005"})
    void aPlantedFaultIsFoundWithTheRequirementItBreaks(String bug, String requirement) throws Exception {
        Foreign.Run run = Foreign.run(List.of(SCRIPT, "--bug", bug));
        assertThat(run.code()).as(run.said()).isEqualTo(1);
        assertThat(run.said()).contains(requirement + " is broken");
    }
}
