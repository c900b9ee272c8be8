package io.metaroce.compliance.utp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.compliance.spec.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Agents at the other end of a connection: those that answer, those that do not, and those nobody may ask. */
class RemoteAgentTest {
    @Test
    void eventsAndAnswersAreToldApart() throws IOException {
        try (ServerSocket listener = listener();
                RemoteAgent agent = RemoteAgent.at(address(listener));
                Socket suite = listener.accept()) {
            say(
                    suite,
                    "{\"evt\":\"cqe\",\"seq\":0}\n{\"id\":1,\"ok\":true,\"t\":5}\n{\"id\":2,\"ok\":false,\"err\":\"E_STATE\"}\n");
            assertThat(agent.call("time", Json.object()).get("t").asInt()).isEqualTo(5);
            assertThat(agent.events()).hasSize(1);
            assertThatThrownBy(() -> agent.call("connect", Json.object()))
                    .isInstanceOf(UtpException.class)
                    .hasMessageContaining("E_STATE");
        }
    }

    @Test
    void anAgentThatGoesAwayIsNotWaitedFor() throws IOException {
        try (ServerSocket listener = listener();
                RemoteAgent agent = RemoteAgent.at(address(listener))) {
            listener.accept().close();
            assertThatThrownBy(() -> agent.call("time", Json.object()))
                    .isInstanceOf(UtpException.class)
                    .hasMessageContaining("E_PROTOCOL");
        }
    }

    @Test
    void anAgentThatSpeaksNoJsonIsNotWaitedFor() throws IOException {
        try (ServerSocket listener = listener();
                RemoteAgent agent = RemoteAgent.at(address(listener));
                Socket suite = listener.accept()) {
            say(suite, "Segmentation fault\n");
            assertThatThrownBy(() -> agent.call("time", Json.object()))
                    .isInstanceOf(UtpException.class)
                    .hasMessageContaining("E_PROTOCOL")
                    .hasMessageNotContaining("but null"); // as after a time without an answer
        }
    }

    @Test
    void onlyThisMachineIsAsked() {
        assertThatThrownBy(() -> RemoteAgent.at("192.0.2.1:7410")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RemoteAgent.at("localhost")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RemoteAgent.at("127.0.0.1:x")).isInstanceOf(IllegalArgumentException.class);
    }

    private static ServerSocket listener() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private static String address(ServerSocket listener) {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    private static void say(Socket suite, String lines) throws IOException {
        suite.getOutputStream().write(lines.getBytes(StandardCharsets.UTF_8));
    }
}
