package io.metaroce.async;

/**
 * How a work request ended that succeeded.
 *
 * @param byteLength bytes received; has no meaning for what was sent
 * @param hasImmediate whether the peer sent 32 bits along
 * @param immediate those bits
 */
public record Result(long byteLength, boolean hasImmediate, int immediate) {}
