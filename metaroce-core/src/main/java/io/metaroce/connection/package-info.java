/**
 * Many paths made one: handshake and close, who may send what and when, reports out and in, which path new data takes.
 *
 * <pre>
 *   Connection ─ ConnectionState        what is it doing
 *      ├ InitiatorHandshake, ResponderHandshake, Cookie, Agreement
 *      ├ Arrivals, Parting ── Closing
 *      └ Traffic                        once both sides agree
 *           ├ PathSet, SprayScheduler, Rebinding, SilenceTest
 *           ├ TransmitOrder ── ControlQueue, ProbeWriter, Seal
 *           ├ AckPolicy, AckWriter      reports out
 *           └ AckReader, SlotReceiver   reports and slots in
 * </pre>
 *
 * <p>What the packets mean is the message room's business; this room knows it only through four ports:
 * {@link io.metaroce.connection.PacketSource}, {@link io.metaroce.connection.PacketSink},
 * {@link io.metaroce.connection.UpdateSource}, {@link io.metaroce.connection.UpdateSink}.
 *
 * <p>Chapters 4 to 9 and 12 of the specification. Thread rule: the endpoint's thread only.
 */
@NullMarked
package io.metaroce.connection;

import org.jspecify.annotations.NullMarked;
