package io.metaroce.tools.stat;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import io.metaroce.observe.EndpointJmx;
import io.metaroce.observe.EndpointMXBean;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A Java process of this machine and user, and the endpoints it shows in JMX. */
public final class RunningJvm implements AutoCloseable {
    private static final int NAME_CHARS_MAX = 100;

    private final JMXConnector connector;
    private final MBeanServerConnection server;

    private RunningJvm(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.server = connector.getMBeanServerConnection();
    }

    /**
     * Attaches to a process; its JMX agent is started when it does not run yet.
     *
     * @throws IOException when there is no such Java process, or it lets nobody attach
     */
    @SuppressWarnings("BanJNDI") // the address is that of the agent just started in a process of the same user
    public static RunningJvm attach(String pid) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(pid);
            try {
                return new RunningJvm(
                        JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException | IOException e) {
            throw new IOException("cannot attach to process " + pid + ": " + e.getMessage(), e);
        }
    }

    /** The other Java processes of this user: process number and what they run. */
    public static List<String> others() {
        String own = Long.toString(ProcessHandle.current().pid());
        List<String> lines = new ArrayList<>();
        for (VirtualMachineDescriptor each : VirtualMachine.list()) {
            if (!each.id().equals(own)) {
                lines.add(each.id() + "  " + shortened(each.displayName()));
            }
        }
        return lines;
    }

    private static String shortened(String words) {
        return words.length() > NAME_CHARS_MAX ? words.substring(0, NAME_CHARS_MAX) + "…" : words;
    }

    /** Every endpoint of the process as it stands now, in the order of addresses. */
    public List<Snapshot> look() throws IOException {
        List<Snapshot> all = new ArrayList<>();
        try {
            for (ObjectName name : new TreeSet<>(server.queryNames(new ObjectName(EndpointJmx.ALL), null))) {
                EndpointMXBean bean = JMX.newMXBeanProxy(server, name, EndpointMXBean.class);
                all.add(new Snapshot(
                        bean.getAddress(),
                        System.nanoTime(),
                        bean.getCounters(),
                        bean.getDrops(),
                        bean.getConnections(),
                        bean.getPaths()));
            }
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e);
        }
        return all;
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
