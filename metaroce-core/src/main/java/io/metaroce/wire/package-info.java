/**
 * The bytes of the wire: one flyweight per header, the option chain, the trailer, and
 * {@link io.metaroce.wire.PacketView}, which checks an arriving packet and lays the flyweights over it. No behaviour.
 *
 * <pre>
 * packet  ::= BaseHeader header lists options payload trailer
 *             header     fixed by the opcode, see {@link io.metaroce.wire.Opcode}
 *             lists      path blocks and stream updates of an ACK; lists of CREDIT, STREAM_STATUS, STREAM_QUERY
 *             options    {@link io.metaroce.wire.Tlv} chain; present when flag X is set, in CONN_REQ, CONN_ACCEPT and
 *                        CONN_REJECT always
 *             payload    what is left: data, the padding of PROBE and CONN_REQ
 *             trailer    {@link io.metaroce.wire.Crc32cTrailer}, 4 bytes
 * </pre>
 *
 * <p>Conventions of the flyweights: they are laid over a big-endian buffer by {@code wrap(buffer, at)}, {@code at}
 * being the start of the packet (of the block or update for {@link io.metaroce.wire.PathBlock} and
 * {@link io.metaroce.wire.StreamUpdate}); getter and setter share the name of the field; fields of 8 and 16 bits read
 * as non-negative {@code int}, wider ones as the {@code int} or {@code long} with the same bits. {@code LENGTH} counts
 * from the same start, so it is where the next thing begins. A setter in front of reserved bits zeroes them, so a
 * header is complete once all its fields are set. Package-private constants are offsets, public ones lengths and
 * values; all of them stand in {@code spec/wire/packets.json} too and are compared by a test.
 *
 * <p>Thread rule: everything here is confined to one thread. Spec chapter: wire format.
 */
@NullMarked
package io.metaroce.wire;

import org.jspecify.annotations.NullMarked;
