/**
 * The suite's own codec. It interprets {@code spec/wire/packets.json} and shares no line with the codec of the engine,
 * so that a mistake of one is seen by the other. Thread rule: a {@code Codec} has no state besides its tables.
 */
@NullMarked
package io.metaroce.compliance.lt.codec;

import org.jspecify.annotations.NullMarked;
