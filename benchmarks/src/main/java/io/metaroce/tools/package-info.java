/**
 * Command-line tools in the layout RDMA people know: devinfo, ping (rping), write_bw, write_lat, send_bw, send_lat, and
 * the demo. One class per command; what measures lives in {@code perf}.
 */
@NullMarked
package io.metaroce.tools;

import org.jspecify.annotations.NullMarked;
