/** The Wireshark dissector: how it is made, and whether it reads what the protocol writes. */
@NullMarked
package io.metaroce.tools.wireshark;

import org.jspecify.annotations.NullMarked;
