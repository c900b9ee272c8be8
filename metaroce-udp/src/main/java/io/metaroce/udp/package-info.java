/**
 * An endpoint on real sockets: UDP through Netty, one endpoint per event loop.
 *
 * <p>Start at {@link io.metaroce.udp.UdpEndpoint#bind}. Thread rule: everything between a socket and the engine runs on
 * the endpoint's event loop; what other threads may call says so.
 */
@NullMarked
package io.metaroce.udp;

import org.jspecify.annotations.NullMarked;
