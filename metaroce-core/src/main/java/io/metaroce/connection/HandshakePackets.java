package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.datagram.Transmit;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.ConnectAccept;
import io.metaroce.wire.ConnectConfirm;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.ConnectReject;
import io.metaroce.wire.ConnectRequest;
import io.metaroce.wire.ConnectRetry;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.ResetHeader;
import io.metaroce.wire.VersionNegotiation;

/** Writes the packets of the handshake. They carry a trailer with seed 0 and leave through the service socket. */
public final class HandshakePackets {
    private static final int SEED = 0;
    private static final int VERSIONS = 1 << BaseHeader.VERSION_1;

    private final Seal seal;
    private final ConnectRequest request = new ConnectRequest();
    private final ConnectRetry retry = new ConnectRetry();
    private final ConnectAccept accept = new ConnectAccept();
    private final ConnectReject reject = new ConnectReject();
    private final ConnectConfirm confirm = new ConnectConfirm();
    private final VersionNegotiation versions = new VersionNegotiation();
    private final ResetHeader reset = new ResetHeader();

    /** A writer that closes its packets with {@code seal}. */
    public HandshakePackets(Seal seal) {
        this.seal = seal;
    }

    void request(Transmit out, Address to, int initConnId, int serviceId, long nonce, ConnectParameters parameters) {
        int length = ConnectRequest.PACKET_BYTES_MIN - Transmit.TRAILER_BYTES;
        Seal.blank(out, length);
        request.wrap(out.header(), 0)
                .initConnId(initConnId)
                .serviceId(serviceId)
                .nonce(nonce)
                .versions(VERSIONS);
        int options = parameters.write(out.header(), ConnectRequest.LENGTH);
        out.headerLength(Math.max(length, ConnectRequest.LENGTH + options));
        seal.begin(out, Opcode.CONN_REQ).flags(BaseHeader.X);
        leave(out, to);
    }

    /** Writes a CONN_RETRY. */
    public void retry(Transmit out, Address to, int initConnId, long nonce, byte[] cookie) {
        Seal.blank(out, ConnectRetry.LENGTH);
        retry.wrap(out.header(), 0).nonce(nonce).cookie(cookie);
        seal.begin(out, Opcode.CONN_RETRY).dstConnId(initConnId);
        leave(out, to);
    }

    void accept(Transmit out, Address to, int initConnId, int respConnId, long nonce, ConnectParameters parameters) {
        Seal.blank(out, ConnectAccept.LENGTH);
        accept.wrap(out.header(), 0).nonce(nonce).respConnId(respConnId).version(BaseHeader.VERSION_1);
        int options = parameters.write(out.header(), ConnectAccept.LENGTH);
        out.headerLength(ConnectAccept.LENGTH + options);
        seal.begin(out, Opcode.CONN_ACCEPT).flags(BaseHeader.X).dstConnId(initConnId);
        leave(out, to);
    }

    /** Writes a CONN_REJECT. */
    public void reject(Transmit out, Address to, int initConnId, long nonce, int reason, byte[] privateData) {
        Seal.blank(out, ConnectReject.LENGTH);
        reject.wrap(out.header(), 0).nonce(nonce).reason(reason);
        int options =
                new ConnectParameters().privateData(privateData).writePrivateData(out.header(), ConnectReject.LENGTH);
        out.headerLength(ConnectReject.LENGTH + options);
        seal.begin(out, Opcode.CONN_REJECT).flags(BaseHeader.X).dstConnId(initConnId);
        leave(out, to);
    }

    /** Writes a CONN_REJECT of somebody who cannot be agreed with, and what would have been agreed to. */
    public void reject(Transmit out, Address to, int initConnId, long nonce, int reason, ConnectParameters demands) {
        Seal.blank(out, ConnectReject.LENGTH);
        reject.wrap(out.header(), 0).nonce(nonce).reason(reason);
        out.headerLength(ConnectReject.LENGTH + demands.writeDemands(out.header(), ConnectReject.LENGTH));
        seal.begin(out, Opcode.CONN_REJECT).flags(BaseHeader.X).dstConnId(initConnId);
        leave(out, to);
    }

    /** On a connection that has keys this is the first packet they are used for. */
    void confirm(Transmit out, Address to, int respConnId, long nonce, Seal ofConnection) {
        Seal.blank(out, ConnectConfirm.LENGTH);
        confirm.wrap(out.header(), 0).nonce(nonce);
        seal.begin(out, Opcode.CONN_CONFIRM).dstConnId(respConnId);
        leave(out, 0, to, ofConnection);
    }

    /** Writes a VERSION_NEG to a source observed on {@code plane}; no longer than what caused it. */
    public void versions(Transmit out, int plane, Address to, int initConnId, long nonce) {
        Seal.blank(out, VersionNegotiation.LENGTH);
        versions.wrap(out.header(), 0).nonce(nonce).versions(VERSIONS);
        seal.begin(out, Opcode.VERSION_NEG).dstConnId(initConnId);
        leave(out, plane, to);
    }

    /** Writes a RESET to a source observed on {@code plane}; no longer than what caused it. */
    public void reset(Transmit out, int plane, Address to, int deadConnId, byte[] token) {
        Seal.blank(out, ResetHeader.LENGTH);
        reset.wrap(out.header(), 0).deadConnId(deadConnId).token(token);
        seal.begin(out, Opcode.RESET);
        leave(out, plane, to);
    }

    private void leave(Transmit out, Address to) {
        leave(out, 0, to);
    }

    private void leave(Transmit out, int plane, Address to) {
        leave(out, plane, to, seal);
    }

    private static void leave(Transmit out, int plane, Address to, Seal by) {
        out.trafficClass(TrafficClass.CONTROL);
        out.route(new Route(plane, Route.SERVICE, to));
        by.close(out, SEED);
    }
}
