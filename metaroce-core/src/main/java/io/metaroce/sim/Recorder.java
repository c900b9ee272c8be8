package io.metaroce.sim;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/** Writes a line of text about every packet that is sent, delivered or lost, and remembers the last of them. */
public final class Recorder implements PacketObserver {
    private final World world;
    private final int linesMax;
    private final ArrayDeque<String> lines = new ArrayDeque<>();
    private final Consumer<String> out;
    private final TraceLine line = new TraceLine();

    private Recorder(World world, int linesMax, Consumer<String> out) {
        this.world = world;
        this.linesMax = linesMax;
        this.out = out;
    }

    /** Remembers the last {@code linesMax} lines. */
    public static Recorder last(World world, int linesMax) {
        return to(world, linesMax, text -> {});
    }

    /** Remembers the last {@code linesMax} lines and gives every line to {@code out} as well. */
    public static Recorder to(World world, int linesMax, Consumer<String> out) {
        Recorder recorder = new Recorder(world, linesMax, out);
        world.observe(recorder);
        return recorder;
    }

    /** The lines remembered, oldest first. */
    public String text() {
        return String.join("\n", lines);
    }

    @Override
    public void sent(long timePs, int node, int packet) {
        add(line.of(world, "sent", packet));
    }

    @Override
    public void delivered(long timePs, int node, int packet) {
        add(line.of(world, "delivered", packet));
    }

    @Override
    public void dropped(long timePs, String where, int packet, DropCause cause) {
        add(line.of(world, "lost", packet) + " at " + where + ": " + cause);
    }

    private void add(String text) {
        if (lines.size() == linesMax) {
            lines.removeFirst();
        }
        lines.addLast(text);
        out.accept(text);
    }
}
