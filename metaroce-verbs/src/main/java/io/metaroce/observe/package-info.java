/**
 * An endpoint as monitoring systems want it: Micrometer meters and a JMX bean over its counters, connections and paths.
 * Micrometer is needed only by who uses {@link io.metaroce.observe.EndpointMeters}.
 *
 * <p>Thread rule: any thread but the endpoint's own.
 */
@NullMarked
package io.metaroce.observe;

import org.jspecify.annotations.NullMarked;
