package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What this machine offers. */
class DevInfoTest {
    @Test
    void engineAbilitiesAndLimitsAreTold() throws Exception {
        Tool tool = Tool.run("devinfo", "-v", "-d", loopback()).endsWell();
        assertThat(tool.out())
                .contains("hca_id:\t" + loopback())
                .containsPattern("\tengine:\t+(epoll|nio)")
                .containsPattern("\tsegmented_sends:\t+(on|off)")
                .containsPattern("\tcoalesced_receives:\t+(on|off)")
                .containsPattern("\treceive_buffer:\t+\\d+ (B|KiB|MiB)")
                .containsPattern("\tnet.core.rmem_max:\t+(\\d{3,} B|\\d+ KiB|\\d+ MiB|\\d+ GiB|unknown)")
                .containsPattern("\tencryption:\t+AEAD-1")
                .containsPattern("state:\t+PORT_ACTIVE \\(4\\)")
                .containsPattern("max_mtu:\t+\\d+")
                .containsPattern("active_mtu:\t+(1024|2048|4096|8192)")
                .containsPattern("max_qp_wr:\t+\\d+")
                .containsPattern("max_sge:\t+\\d+");
    }

    @Test
    void aListNamesOnlyAddresses() throws Exception {
        Tool tool = Tool.run("devinfo", "-l", "-d", loopback()).endsWell();
        assertThat(tool.out().lines()).anyMatch(line -> line.equals(loopback() + "\t127.0.0.1"));
    }

    private static String loopback() {
        try {
            NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
            return Objects.requireNonNull(loopback, "127.0.0.1 is on no interface")
                    .getName();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
