package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HostPortTest {
    @Test
    void everyFormIsTakenApart() {
        assertThat(HostPort.parse("10.0.0.1")).isEqualTo(new HostPort("10.0.0.1", HostPort.NONE));
        assertThat(HostPort.parse("10.0.0.1:5000")).isEqualTo(new HostPort("10.0.0.1", 5000));
        assertThat(HostPort.parse("localhost:0")).isEqualTo(new HostPort("localhost", 0));
        assertThat(HostPort.parse("::1")).isEqualTo(new HostPort("::1", HostPort.NONE));
        assertThat(HostPort.parse("fe80::1%eth0")).isEqualTo(new HostPort("fe80::1%eth0", HostPort.NONE));
        assertThat(HostPort.parse("[::1]")).isEqualTo(new HostPort("::1", HostPort.NONE));
        assertThat(HostPort.parse(" [fe80::1%lo]:49741 ")).isEqualTo(new HostPort("fe80::1%lo", 49_741));
    }

    @Test
    void theMessageSaysWhatIsWrong() {
        assertThatThrownBy(() -> HostPort.parse(" ")).hasMessageContaining("empty");
        assertThatThrownBy(() -> HostPort.parse(":5000")).hasMessageContaining("names no host");
        assertThatThrownBy(() -> HostPort.parse("host:http")).hasMessageContaining("\"http\"");
        assertThatThrownBy(() -> HostPort.parse("host:70000")).hasMessageContaining("70000 of the address");
        assertThatThrownBy(() -> HostPort.parse("[::1")).hasMessageContaining("bracket");
        assertThatThrownBy(() -> HostPort.parse("[::1]5000")).hasMessageContaining("\"5000\" after the bracket");
        assertThatThrownBy(() -> HostPort.parse("[]:5000")).hasMessageContaining("names no host");
    }

    @Test
    void literalsThatAreNoneAreToldFromUnknownNames() {
        assertThatThrownBy(() -> HostPort.parse("[1::2::3]:5").addresses()).hasMessageContaining("not an IP address");
        assertThatThrownBy(() -> HostPort.parse("[fe80::1%nosuchdevice]:5").addresses())
                .hasMessageContaining("scope is not an interface");
    }

    @Test
    void aScopeIsKeptWhereItMatters() throws Exception {
        var scoped = HostPort.parse("[fe80::1%1]:5").addresses()[0];
        var engineForm = SocketAddresses.toAddress(new java.net.InetSocketAddress(scoped, 5));
        assertThat(new SocketAddresses(scoped).of(engineForm).getAddress().getHostAddress())
                .startsWith("fe80:")
                .contains("%");
    }
}
