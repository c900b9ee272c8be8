/**
 * The lower tester: a peer that plays one side of a connection packet by packet, the ledger of everything that was
 * sent, and monitors that watch all of it. Knows nothing of the engine. Thread rule: the thread of the test.
 */
@NullMarked
package io.metaroce.compliance.lt;

import org.jspecify.annotations.NullMarked;
