/**
 * {@code metaroce bench peers}: this transport beside others that move bytes between two processes of this machine,
 * each in a pair of processes of its own, taking turns. Every peer is one class that plays both roles; Aeron and QUIC
 * are found when the class path has them and are no dependency of anything.
 *
 * <p>Thread rule: each process has one thread that obeys; what moves bytes may have others.
 */
@NullMarked
package io.metaroce.tools.peers;

import org.jspecify.annotations.NullMarked;
