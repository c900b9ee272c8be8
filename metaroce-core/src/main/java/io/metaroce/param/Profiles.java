package io.metaroce.param;

/**
 * The two named sets of parameters (chapter "Parameters" of the specification): {@code model} for simulator and silicon
 * with microsecond round trips, {@code udp} for software over sockets.
 */
public final class Profiles {
    private static final long US = 1_000;
    private static final long MS = 1_000_000;
    private static final long S = 1_000_000_000;
    private static final long GBIT = 125_000_000;

    private Profiles() {}

    /** Microsecond round trips, 400 Gbit/s, one packet a path. */
    public static EndpointConfig model() {
        return new EndpointConfig(
                new RateConfig(400 * GBIT, 400 * GBIT, 0, 0, 0, 0, true),
                new PathConfig(32, 8192, 256, 4, US, 0, 200 * MS, 0, S, 600 * S),
                new AckConfig(4, 16 * 1024, US),
                new SchedulerConfig(1),
                new PlaneConfig(100 * US),
                liveness(),
                new EndpointLimits(1024, 1 << 15, 4096, 64, 256),
                new ConnectionLimits(4096, 64, 1024, 1L << 31, 128, 0),
                EndpointConfig.Cookies.REQUIRED,
                SecurityConfig.NONE);
    }

    /** Software over sockets: ten to hundreds of microseconds, coarse timers, bursts that one system call can send. */
    public static EndpointConfig udp() {
        return new EndpointConfig(
                new RateConfig(10 * GBIT, 10 * GBIT, 500 * US, 5 * MS, 256 * 1024, 0, false),
                new PathConfig(16, 8192, 256, 4, 200 * US, 5 * MS, 200 * MS, 2 * MS, S, 600 * S),
                new AckConfig(16, 64 * 1024, 200 * US),
                new SchedulerConfig(14, 60_000),
                new PlaneConfig(10 * MS),
                liveness(),
                new EndpointLimits(4096, 1 << 16, 65536, 64, 1024),
                new ConnectionLimits(4096, 64, 1024, 1L << 31, 128, 0),
                EndpointConfig.Cookies.REQUIRED,
                SecurityConfig.NONE);
    }

    private static LivenessConfig liveness() {
        return new LivenessConfig(50 * MS, 7, 5, 5 * S, 10 * S, 10 * S, 60 * S);
    }
}
