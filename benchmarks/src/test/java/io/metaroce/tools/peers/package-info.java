/** Tests of the contest with other transports, and the peers that only tests may depend on. */
@org.jspecify.annotations.NullMarked
package io.metaroce.tools.peers;
