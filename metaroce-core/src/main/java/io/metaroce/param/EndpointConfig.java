package io.metaroce.param;

/**
 * Everything that can be set of an endpoint. Start from {@link Profiles} and change single records.
 *
 * @param cookies whether a connection request must prove its address before any state is kept
 * @param security keys
 */
public record EndpointConfig(
        RateConfig rate,
        PathConfig path,
        AckConfig ack,
        SchedulerConfig scheduler,
        PlaneConfig plane,
        LivenessConfig liveness,
        EndpointLimits limits,
        ConnectionLimits connection,
        Cookies cookies,
        SecurityConfig security) {

    /** Whether the address of a peer is proved by a cookie before any state is kept for it. */
    public enum Cookies {
        /** Every request must carry a cookie that was sent to the address it advertises. */
        REQUIRED,
        /** Requests are taken at their word; at most three times their bytes are sent until they are confirmed. */
        OFF
    }

    /** The same with other congestion-control settings. */
    public EndpointConfig withRate(RateConfig value) {
        return new EndpointConfig(value, path, ack, scheduler, plane, liveness, limits, connection, cookies, security);
    }

    /** The same with other path settings. */
    public EndpointConfig withPath(PathConfig value) {
        return new EndpointConfig(rate, value, ack, scheduler, plane, liveness, limits, connection, cookies, security);
    }

    /** The same with another acknowledgement policy. */
    public EndpointConfig withAck(AckConfig value) {
        return new EndpointConfig(rate, path, value, scheduler, plane, liveness, limits, connection, cookies, security);
    }

    /** The same with other spreading. */
    public EndpointConfig withScheduler(SchedulerConfig value) {
        return new EndpointConfig(rate, path, ack, value, plane, liveness, limits, connection, cookies, security);
    }

    /** The same with other settings about planes. */
    public EndpointConfig withPlane(PlaneConfig value) {
        return new EndpointConfig(rate, path, ack, scheduler, value, liveness, limits, connection, cookies, security);
    }

    /** The same with other timers of life. */
    public EndpointConfig withLiveness(LivenessConfig value) {
        return new EndpointConfig(rate, path, ack, scheduler, plane, value, limits, connection, cookies, security);
    }

    /** The same with other limits of the endpoint. */
    public EndpointConfig withLimits(EndpointLimits value) {
        return new EndpointConfig(rate, path, ack, scheduler, plane, liveness, value, connection, cookies, security);
    }

    /** The same with other limits of a connection. */
    public EndpointConfig withConnection(ConnectionLimits value) {
        return new EndpointConfig(rate, path, ack, scheduler, plane, liveness, limits, value, cookies, security);
    }

    /** The same with another rule about cookies. */
    public EndpointConfig withCookies(Cookies value) {
        return new EndpointConfig(rate, path, ack, scheduler, plane, liveness, limits, connection, value, security);
    }

    /** The same with other keys. */
    public EndpointConfig withSecurity(SecurityConfig value) {
        return new EndpointConfig(rate, path, ack, scheduler, plane, liveness, limits, connection, cookies, value);
    }
}
