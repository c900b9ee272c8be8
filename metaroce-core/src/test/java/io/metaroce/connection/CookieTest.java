package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.num.SplitMix64;
import org.junit.jupiter.api.Test;

class CookieTest {
    private static final long TICK_NS = 8_000_000_000L;
    private static final Address ADDRESS = Address.ipv4(0x0A000001, 49741);
    private static final int ID = 0xABCD;
    private static final long NONCE = 0x1234_5678_9ABC_DEF0L;
    private final Cookie cookies = new Cookie(new SplitMix64(1));

    @Test
    @Covers("R-CONN-001")
    void isGoodInThisTickAndTheNext() {
        byte[] cookie = cookies.make(3 * TICK_NS + 5, ADDRESS, ID, NONCE);
        assertThat(cookie).hasSize(Cookie.LENGTH);
        assertThat(isValid(cookie, 3 * TICK_NS)).isTrue();
        assertThat(isValid(cookie, 5 * TICK_NS - 1)).isTrue();
        assertThat(isValid(cookie, 5 * TICK_NS)).isFalse();
        assertThat(isValid(cookie, 3 * TICK_NS - 1)).isFalse();
        assertThat(isValid(cookies.make(0, ADDRESS, ID, NONCE), 0)).isTrue();
    }

    @Test
    @Covers("R-CONN-001")
    void isGoodForOneAddressOneNumberAndOneNonce() {
        byte[] cookie = cookies.make(0, ADDRESS, ID, NONCE);
        assertThat(cookies.isValid(cookie, 0, Address.ipv4(0x0A000002, 49741), ID, NONCE))
                .isFalse();
        assertThat(cookies.isValid(cookie, 0, Address.ipv4(0x0A000001, 49742), ID, NONCE))
                .isFalse();
        assertThat(cookies.isValid(cookie, 0, Address.ipv6(0, 0x0A000001, 49741), ID, NONCE))
                .isFalse();
        assertThat(cookies.isValid(cookie, 0, ADDRESS, ID + 1, NONCE)).isFalse();
        assertThat(cookies.isValid(cookie, 0, ADDRESS, ID, NONCE ^ 1)).isFalse();
        for (int bit = 0; bit < 8 * Cookie.LENGTH; bit++) {
            byte[] flipped = cookie.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThat(isValid(flipped, 0)).isFalse();
        }
    }

    @Test
    void anotherEndpointHasAnotherKey() {
        byte[] cookie = new Cookie(new SplitMix64(2)).make(0, ADDRESS, ID, NONCE);
        assertThat(isValid(cookie, 0)).isFalse();
    }

    @Test
    void whatIsNoCookieIsNotValid() {
        assertThat(isValid(new byte[0], 0)).isFalse();
        assertThat(isValid(new byte[Cookie.LENGTH], 0)).isFalse();
    }

    private boolean isValid(byte[] cookie, long nowNs) {
        return cookies.isValid(cookie, nowNs, ADDRESS, ID, NONCE);
    }
}
