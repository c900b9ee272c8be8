package io.metaroce.queue;

import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;

/**
 * Commands for the endpoint's thread, in the order they were offered.
 *
 * <p>After {@link #offer}, call {@link DoorbellQueue#wake}. The endpoint's thread runs commands by
 * {@link DoorbellQueue#drain(long, CommandQueue, Object)}, which looks for them after it has cleared the wake-up flag.
 * If the flag were cleared after the look, a command offered in between would wait for the next wake-up.
 *
 * @param <E> what commands act on
 */
public final class CommandQueue<E> {
    /** Commands waiting at most, unless said otherwise. */
    public static final int COMMANDS_MAX = 1024;

    private final MpscVarHandleArrayQueue<Command<E>> commands;
    private final int commandsMax;

    /** Makes a queue of {@link #COMMANDS_MAX} commands. */
    public CommandQueue() {
        this(COMMANDS_MAX);
    }

    /**
     * Makes a queue.
     *
     * @param commandsMax commands waiting at most, 1..2^20
     */
    public CommandQueue(int commandsMax) {
        Sizes.range("commandsMax", commandsMax, 1, 1 << 20);
        this.commandsMax = commandsMax;
        commands = new MpscVarHandleArrayQueue<>(Math.max(2, commandsMax));
    }

    /**
     * Adds a command. Any thread.
     *
     * @throws IllegalStateException when the queue is full; the message names the limit
     */
    public void offer(Command<E> command) {
        if (!tryOffer(command)) {
            throw new IllegalStateException(commandsMax
                    + " commands wait for the endpoint's thread already; it is stuck or starved, or commandsMax is too"
                    + " small");
        }
    }

    /** Adds a command; false when the queue is full. Any thread. */
    public boolean tryOffer(Command<E> command) {
        return commands.offerIfBelowThreshold(command, commandsMax);
    }

    /** Runs what waits, at most as many as the queue holds. Endpoint thread. Returns how many ran. */
    public int drain(long nowNs, E target) {
        int ran = 0;
        while (ran < commandsMax) {
            Command<E> command = commands.relaxedPoll();
            if (command == null) {
                break;
            }
            ran++;
            command.run(nowNs, target);
        }
        return ran;
    }
}
