package io.metaroce.verbs;

/** Two devices that can reach each other, and three addresses at which nobody answers in three different ways. */
interface VerbsWorld extends AutoCloseable {
    /** The device that connects. */
    Device client();

    /** The device that listens. */
    Device server();

    /** The address of {@link #server()}, as text. */
    String serverAddress();

    /** An address where nothing is bound. */
    String nobodysAddress();

    /** An address where something is bound that swallows everything. */
    String silentAddress();

    /** From now on nothing that the server sends arrives. */
    void serverFallsSilent();

    @Override
    void close();
}
