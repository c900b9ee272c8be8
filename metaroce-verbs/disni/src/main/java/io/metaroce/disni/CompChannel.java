package io.metaroce.disni;

import com.ibm.disni.verbs.IbvCompChannel;
import java.io.IOException;

/** A channel of completion events; each of its queues knows its own. */
final class CompChannel extends IbvCompChannel {
    CompChannel(Context context) throws IOException {
        super(0, context);
    }
}
