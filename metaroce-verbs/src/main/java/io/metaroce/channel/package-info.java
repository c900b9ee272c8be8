/**
 * Netty over metaroce: a channel of messages, so that pipelines run over a queue pair, and {@code ByteBuf} as
 * registered memory.
 *
 * <p>Optional: needs Netty's transport, which {@code metaroce-udp} brings along.
 *
 * <p>Thread rule: as in Netty. The channel's event loop must not be the one that drives the endpoint.
 */
@NullMarked
package io.metaroce.channel;

import org.jspecify.annotations.NullMarked;
