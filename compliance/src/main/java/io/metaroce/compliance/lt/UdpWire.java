package io.metaroce.compliance.lt;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Real sockets on the loopback interface: one service socket per plane, one more for each source port a test uses. What
 * arrives at one of those went to an observed port. ECN codepoint and class of what arrives are not known here.
 */
public final class UdpWire implements Wire {
    private static final int BUFFER_BYTES = 4 << 20;

    private final List<DatagramChannel> services = new ArrayList<>();
    private final Map<Integer, DatagramChannel> sources = new TreeMap<>();
    private final List<InetSocketAddress> iut = new ArrayList<>();
    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private final ArrayDeque<Arrival> arrived = new ArrayDeque<>();
    private final long beganNs = System.nanoTime();

    /** Opens the service sockets. */
    public UdpWire(int planes) {
        try {
            selector = Selector.open();
            for (int plane = 0; plane < planes; plane++) {
                services.add(open(plane, plane));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private DatagramChannel open(int plane, int attachment) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
        channel.bind(new InetSocketAddress("127.0.0." + (1 + plane), 0));
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, attachment);
        return channel;
    }

    @Override
    public long nowNs() {
        return System.nanoTime() - beganNs;
    }

    @Override
    public int planes() {
        return services.size();
    }

    @Override
    public String testerAddress(int plane) {
        try {
            InetSocketAddress local = (InetSocketAddress) services.get(plane).getLocalAddress();
            return local.getAddress().getHostAddress() + ":" + local.getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void iutAddresses(List<String> addresses) {
        iut.clear();
        for (String address : addresses) {
            int colon = address.lastIndexOf(':');
            iut.add(new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
        }
    }

    @Override
    public void send(int plane, int sourcePort, int ecn, byte[] bytes) {
        try {
            DatagramChannel from = services.get(plane);
            if (sourcePort != 0) {
                from = sources.get(sourcePort * 16 + plane);
                if (from == null) {
                    from = open(plane, -1 - plane);
                    sources.put(sourcePort * 16 + plane, from);
                }
            }
            int unused = from.send(ByteBuffer.wrap(bytes), iut.get(plane));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public @Nullable Arrival next(long deadlineNs) {
        if (!arrived.isEmpty()) {
            return arrived.remove();
        }
        try {
            long waitNs = deadlineNs - nowNs();
            // Whoever waits sleeps: on a busy machine a tester that spins takes its time from the implementation.
            int ready = waitNs <= 0 ? selector.selectNow() : selector.select((waitNs + 999_999) / 1_000_000);
            if (ready == 0) {
                return null;
            }
            for (SelectionKey key : selector.selectedKeys()) {
                drain((DatagramChannel) key.channel(), (int) key.attachment());
            }
            selector.selectedKeys().clear();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return arrived.poll();
    }

    private void drain(DatagramChannel channel, int attachment) throws IOException {
        while (true) {
            buffer.clear();
            InetSocketAddress from = (InetSocketAddress) channel.receive(buffer);
            if (from == null) {
                return;
            }
            byte[] bytes = new byte[buffer.flip().remaining()];
            buffer.get(bytes);
            boolean isAdvertised = attachment >= 0;
            arrived.add(new Arrival(
                    nowNs(),
                    isAdvertised ? attachment : -1 - attachment,
                    isAdvertised ? from.getPort() : -from.getPort(),
                    ECN_UNKNOWN,
                    -1,
                    bytes));
        }
    }

    @Override
    public void close() {
        try {
            for (DatagramChannel channel : services) {
                channel.close();
            }
            for (DatagramChannel channel : sources.values()) {
                channel.close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
