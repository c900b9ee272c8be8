package com.ibm.disni.verbs.impl;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import io.metaroce.disni.MetaroceProvider;
import java.io.IOException;

/**
 * The provider that DiSNI makes, by this very name and without asking anybody: here it hands out metaroce.
 *
 * <p>It stands in for the class of the same name in DiSNI's own jar, which loads a native library. Whichever comes
 * first on the class path is used.
 */
public class RdmaProviderNat extends RdmaProvider {
    private final MetaroceProvider provider = new MetaroceProvider();

    @Override
    public RdmaCm openCm() throws IOException {
        return provider.openCm();
    }

    @Override
    public RdmaVerbs openVerbs() throws IOException {
        return provider.openVerbs();
    }

    @Override
    public int getVersion() {
        return provider.getVersion();
    }
}
