package io.metaroce.collective;

/** How bytes of one rank come to another. */
public enum Transfer {
    /** Their owner writes them to where they belong. */
    WRITE,
    /** Their owner sends them, and the other has posted receives for them ahead. */
    SEND,
    /** The other reads them when their owner says that they are ready, and then says that it has. */
    READ
}
