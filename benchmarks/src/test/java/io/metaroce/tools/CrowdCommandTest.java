package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections on several event loops that share an address, sprayed over sixteen paths each. */
class CrowdCommandTest {
    @ParameterizedTest
    @CsvSource({"4, AUTO, AUTO", "2, OFF, AUTO", "2, AUTO, NIO"})
    void everyMessageFindsTheLoopOfItsConnection(int loops, String marks, String engine) throws Exception {
        Tool tool = Tool.run(
                        "bench",
                        "connections",
                        "--connections=32",
                        "--loops=" + loops,
                        "--congestion-marks=" + marks,
                        "--engine=" + engine)
                .endsWell();
        assertThat(tool.out())
                .contains("pings: 32 of 64 bytes, all came back")
                .contains("client: 32 connections on " + loops + " loops")
                .contains("server: 32 connections on " + loops + " loops")
                .contains("0 lost between loops, 0 for no connection");
    }
}
