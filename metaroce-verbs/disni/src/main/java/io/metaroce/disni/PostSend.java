package io.metaroce.disni;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.ScatterGatherEntry;
import io.metaroce.verbs.SendFlag;
import io.metaroce.verbs.SendWorkRequest;
import io.metaroce.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A prepared list of sends: what it was given is copied, may be changed through its parts, and posted many times. */
final class PostSend extends SVCPostSend {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Qp queuePair;
    private final List<Part> parts = new ArrayList<>();
    private boolean freed;

    PostSend(Qp queuePair, List<IbvSendWR> requests) throws IOException {
        this.queuePair = queuePair;
        for (IbvSendWR request : requests) {
            parts.add(new Part(request));
        }
    }

    @Override
    public SendWRMod getWrMod(int index) {
        return parts.get(index);
    }

    @Override
    public SVCPostSend execute() throws IOException {
        for (int i = 0; i < parts.size(); i++) {
            boolean posted;
            try {
                posted = parts.get(i).post(queuePair);
            } catch (VerbsException e) {
                throw new IOException(e.getMessage(), e);
            }
            if (!posted) {
                throw new IOException("ENOMEM: the send queue of " + queuePair.queuePair() + " is full after " + i
                        + " of " + parts.size() + " requests; poll completions first, or raise max_send_wr");
            }
        }
        return this;
    }

    @Override
    public boolean isValid() {
        return !freed;
    }

    @Override
    public SVCPostSend free() {
        freed = true;
        return this;
    }

    /** One request. */
    private static final class Part implements SendWRMod, RdmaMod {
        private final int opcode;
        private final int immediate;
        private final long compareAdd;
        private final long swap;
        private final List<Piece> pieces = new ArrayList<>();
        private long wrId;
        private int flags;
        private long remoteAddress;
        private int rkey;
        private int reserved;

        Part(IbvSendWR from) {
            wrId = from.getWr_id();
            opcode = from.getOpcode();
            flags = from.getSend_flags();
            immediate = from.getImm_data();
            compareAdd = from.getAtomic().getCompare_add();
            swap = from.getAtomic().getSwap();
            boolean isAtomic =
                    opcode == IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD;
            remoteAddress = isAtomic
                    ? from.getAtomic().getRemote_addr()
                    : from.getRdma().getRemote_addr();
            rkey = isAtomic ? from.getAtomic().getRkey() : from.getRdma().getRkey();
            if (from.getSg_list() != null) {
                for (IbvSge piece : from.getSg_list()) {
                    pieces.add(new Piece(piece));
                }
            }
        }

        boolean post(Qp target) throws IOException {
            if (pieces.size() > 1) {
                return target.queuePair().postSend(built(target.domain()));
            }
            QueuePair to = target.queuePair();
            int lkey = 0;
            int length = 0;
            long offset = 0;
            if (!pieces.isEmpty()) {
                Piece piece = pieces.get(0);
                lkey = piece.lkey;
                length = piece.length;
                offset = target.domain().offset(lkey, piece.address, length);
            }
            return switch (opcode) {
                case IbvSendWR.IBV_WR_SEND -> to.postSend(wrId, lkey, offset, length, flags);
                case IbvSendWR.IBV_WR_SEND_WITH_IMM ->
                    to.postSendImmediate(wrId, lkey, offset, length, immediate, flags);
                case IbvSendWR.IBV_WR_RDMA_WRITE ->
                    to.postWrite(wrId, lkey, offset, length, remoteAddress, rkey, flags);
                case IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM ->
                    to.postWriteImmediate(wrId, lkey, offset, length, remoteAddress, rkey, immediate, flags);
                case IbvSendWR.IBV_WR_RDMA_READ -> to.postRead(wrId, lkey, offset, length, remoteAddress, rkey, flags);
                case IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP ->
                    to.postCompareAndSwap(wrId, lkey, offset, remoteAddress, rkey, compareAdd, swap, flags);
                case IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD ->
                    to.postFetchAndAdd(wrId, lkey, offset, remoteAddress, rkey, compareAdd, flags);
                default -> throw unknown();
            };
        }

        /** With several pieces of memory. */
        private SendWorkRequest built(Pd domain) throws IOException {
            List<ScatterGatherEntry> entries = new ArrayList<>();
            for (Piece piece : pieces) {
                entries.add(new ScatterGatherEntry(
                        piece.lkey, domain.offset(piece.lkey, piece.address, piece.length), piece.length));
            }
            Set<SendFlag> set = EnumSet.noneOf(SendFlag.class);
            for (SendFlag flag : SendFlag.values()) {
                if ((flags & flag.value()) != 0) {
                    set.add(flag);
                }
            }
            return switch (opcode) {
                case IbvSendWR.IBV_WR_SEND -> new SendWorkRequest.Send(wrId, entries, NOTHING, set);
                case IbvSendWR.IBV_WR_SEND_WITH_IMM ->
                    new SendWorkRequest.SendImmediate(wrId, entries, NOTHING, set, immediate);
                case IbvSendWR.IBV_WR_RDMA_WRITE ->
                    new SendWorkRequest.Write(wrId, entries, NOTHING, set, remoteAddress, rkey);
                case IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM ->
                    new SendWorkRequest.WriteImmediate(wrId, entries, NOTHING, set, remoteAddress, rkey, immediate);
                case IbvSendWR.IBV_WR_RDMA_READ -> new SendWorkRequest.Read(wrId, entries, set, remoteAddress, rkey);
                default -> throw unknown();
            };
        }

        private IOException unknown() {
            return new IOException("opcode " + opcode + " with " + pieces.size() + " pieces is not offered");
        }

        @Override
        public void setWr_id(long value) {
            wrId = value;
        }

        @Override
        public void setSend_flags(int value) {
            flags = value;
        }

        @Override
        public long getWr_id() {
            return wrId;
        }

        @Override
        public int getNum_sge() {
            return pieces.size();
        }

        @Override
        public int getOpcode() {
            return opcode;
        }

        @Override
        public int getSend_flags() {
            return flags;
        }

        @Override
        public RdmaMod getRdmaMod() {
            return this;
        }

        @Override
        public SgeMod getSgeMod(int index) {
            return pieces.get(index);
        }

        @Override
        public void setRemote_addr(long value) {
            remoteAddress = value;
        }

        @Override
        public long getRemote_addr() {
            return remoteAddress;
        }

        @Override
        public void setRkey(int value) {
            rkey = value;
        }

        @Override
        public int getRkey() {
            return rkey;
        }

        @Override
        public void setReserved(int value) {
            reserved = value;
        }

        @Override
        public int getReserved() {
            return reserved;
        }
    }

    /** One piece of memory. */
    private static final class Piece implements SgeMod {
        private long address;
        private int length;
        private int lkey;

        Piece(IbvSge from) {
            address = from.getAddr();
            length = from.getLength();
            lkey = from.getLkey();
        }

        @Override
        public void setAddr(long value) {
            address = value;
        }

        @Override
        public long getAddr() {
            return address;
        }

        @Override
        public void setLength(int value) {
            length = value;
        }

        @Override
        public int getLength() {
            return length;
        }

        @Override
        public void setLkey(int value) {
            lkey = value;
        }

        @Override
        public int getLkey() {
            return lkey;
        }
    }
}
