package io.metaroce.param;

/**
 * Keys.
 *
 * @param endpointKey keeps its value over restarts of the endpoint, so that the one after can tell peers of the one
 *     before that their connections are gone; without it peers find out by silence
 * @param presharedKey the same at both ends; with it every connection is encrypted and no other is made, without it
 *     none is
 * @param rekeyPackets packets a side encrypts with one key before it takes the next, 1..2^31
 */
public record SecurityConfig(Secret endpointKey, Secret presharedKey, long rekeyPackets) {
    private static final long REKEY_MAX = 1L << 31;

    /** No keys at all. */
    public static final SecurityConfig NONE = new SecurityConfig(Secret.NONE, Secret.NONE, REKEY_MAX);

    /** Checks the bounds. */
    public SecurityConfig {
        Check.range("security.rekeyPackets", rekeyPackets, 1, REKEY_MAX);
    }

    /** Whether every connection is encrypted; if not, none is. */
    public boolean isEncrypted() {
        return presharedKey.isPresent();
    }

    /** The same with another key of the endpoint. */
    public SecurityConfig withEndpointKey(Secret value) {
        return new SecurityConfig(value, presharedKey, rekeyPackets);
    }

    /** The same with another pre-shared key. */
    public SecurityConfig withPresharedKey(Secret value) {
        return new SecurityConfig(endpointKey, value, rekeyPackets);
    }

    /** The same with other limits of a key. */
    public SecurityConfig withRekeyPackets(long value) {
        return new SecurityConfig(endpointKey, presharedKey, value);
    }
}
