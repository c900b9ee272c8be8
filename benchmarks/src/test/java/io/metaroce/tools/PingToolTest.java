package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first health check. */
class PingToolTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "localhost"})
    void textGoesThereAndBackAlthoughTheClientCameFirst(String address) throws Exception {
        String port = Tool.freePort();
        Tool client = Tool.start("ping", "-c", "-a", address, "-p", port, "-C", "3", "-v", "-V");
        Tool server = Tool.start("ping", "-s", "-a", address, "-p", port, "-v");
        client.endsWell();
        server.endsWell();
        assertThat(client.out().lines())
                .hasSize(4)
                .anyMatch(line -> line.startsWith("ping data: rdma-ping-0: ABCD"))
                .anyMatch(line -> line.startsWith("ping data: rdma-ping-2: CDEF"))
                .last()
                .asString()
                .endsWith("DISCONNECT EVENT...");
        assertThat(server.out()).contains("server ping data: rdma-ping-1: BCDE", "DISCONNECT EVENT...");
    }

    @Test
    void sizesBeyondAPacketWorkToo() throws Exception {
        String port = Tool.freePort();
        Tool server = Tool.start("ping", "-s", "-p", port, "-S", "100000");
        Tool client = Tool.run("ping", "-c", "-p", port, "-S", "100000", "-C", "2", "-V", "-q");
        client.endsWell();
        server.endsWell();
        assertThat(client.out()).isEmpty();
    }

    @Test
    void itsHelpIsThere() throws Exception {
        Tool help = Tool.run("ping", "--help").endsWell();
        assertThat(help.out()).contains("metaroce ping [OPTIONS]").contains("-V ");
    }
}
