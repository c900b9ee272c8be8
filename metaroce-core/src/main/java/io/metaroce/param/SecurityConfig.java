package io.metaroce.param;

/**
 * Keys.
 *
 * @param endpointKey keeps its value over restarts of the endpoint, so that the one after can tell peers of the one
 *     before that their connections are gone; without it peers find out by silence
 */
public record SecurityConfig(Secret endpointKey) {
    /** No keys at all. */
    public static final SecurityConfig NONE = new SecurityConfig(Secret.NONE);

    /** The same with another key of the endpoint. */
    public SecurityConfig withEndpointKey(Secret value) {
        return new SecurityConfig(value);
    }
}
