/** What crosses the border between engine and network: addresses, routes, a datagram received, a packet to send. */
@NullMarked
package io.metaroce.datagram;

import org.jspecify.annotations.NullMarked;
