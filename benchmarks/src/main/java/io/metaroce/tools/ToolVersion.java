package io.metaroce.tools;

import picocli.CommandLine.IVersionProvider;

/** Which version of tools and specification this is. */
final class ToolVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Main.class.getPackage().getImplementationVersion();
        return new String[] {
            "metaroce " + (version == null ? "development" : version),
            "specification: open draft 1",
            "Java " + System.getProperty("java.version") + ", " + System.getProperty("os.name")
        };
    }
}
