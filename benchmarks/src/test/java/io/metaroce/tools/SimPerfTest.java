package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SimPerfTest {
    @Test
    void oneSeedIsOneRunAndTheFigureIsPrinted() {
        Tool once = Tool.run("sim", "perf", "--packets", "8", "--runs", "1");
        Tool again = Tool.run("sim", "perf", "--packets", "8", "--runs", "1");
        assertThat(once.exitCode()).isZero();
        assertThat(once.out()).contains("M events/s of processor time").contains("calibration");
        assertThat(trace(once.out())).isEqualTo(trace(again.out()));
    }

    private static String trace(String out) {
        return out.substring(out.indexOf("; trace "));
    }
}
