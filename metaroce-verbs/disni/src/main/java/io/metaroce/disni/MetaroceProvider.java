package io.metaroce.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;

/** DiSNI's provider over metaroce: its connection manager and its verbs. */
public final class MetaroceProvider extends RdmaProvider {
    /** The version of the native library that DiSNI 2.1 expects. */
    private static final int VERSION = 32;

    private final RdmaCm manager = new ConnectionEvents();
    private final RdmaVerbs verbs = new Verbs();

    @Override
    public RdmaCm openCm() {
        return manager;
    }

    @Override
    public RdmaVerbs openVerbs() {
        return verbs;
    }

    @Override
    public int getVersion() {
        return VERSION;
    }
}
