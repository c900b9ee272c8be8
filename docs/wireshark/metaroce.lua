-- MetaRoCE for Wireshark and tshark (4.0 or later): tshark -X lua_script:metaroce.lua -r FILE
-- Made from spec/wire/packets.json by DissectorFile; do not edit, a test compares.
local T = {
  port = 49741,
  version = 1,
  version_secured = 15,
  sack_words_max = 16,
  trailer_bytes = 4,
  enums = {
    error_code = {
      {name = "RNR", value = 1, },
      {name = "REM_ACCESS", value = 2, },
      {name = "INV_REQ", value = 3, },
      {name = "OP_ERR", value = 4, },
      {name = "ABORT", value = 5, },
      {name = "UNSUPPORTED", value = 6, },
      {name = "BAD_RESP", value = 7, },
      {name = "WINDOW", value = 8, },
      {name = "PROTO", value = 9, },
      {name = "NOT_OPEN", value = 10, },
    },
    reject_reason = {
      {name = "VERSION", value = 1, },
      {name = "FEATURE", value = 2, },
      {name = "RESOURCES", value = 3, },
      {name = "NO_SERVICE", value = 4, },
      {name = "REFUSED", value = 5, },
      {name = "PARAMETER", value = 6, },
      {name = "STALE", value = 7, },
      {name = "INTEGRITY", value = 8, },
    },
    close_code = {
      {name = "NORMAL", value = 0, },
      {name = "APPLICATION_ABORT", value = 1, },
      {name = "IDLE", value = 2, },
      {name = "NO_RESOURCES", value = 3, },
    },
    atomic_op = {
      {name = "CAS", value = 0, },
      {name = "FAA", value = 1, },
      {name = "SWAP", value = 2, },
    },
    status_kind = {
      {name = "READ", value = 0, },
      {name = "ATOMIC", value = 1, },
    },
    path_state = {
      {name = "VALIDATING", value = 0, },
      {name = "ACTIVE", value = 1, },
      {name = "SUSPECT", value = 2, },
      {name = "DRAINING", value = 3, },
      {name = "FAILED", value = 4, },
      {name = "ADMIN_DOWN", value = 5, },
    },
    ecn_mode = {
      {name = "NONE", value = 0, },
      {name = "IP", value = 1, },
      {name = "SHIM", value = 2, },
    },
    address_family = {
      {name = "IPV4", value = 4, },
      {name = "IPV6", value = 6, },
    },
  },
  headers = {
    BASE = {
      {name = "version", doc = "Ver", at = 0, bits = 4, kind = "uint", meaning = "1; 15 = secured packet", },
      {name = "flags", at = 4, bits = 4, kind = "flags", flags = {{name = "M", bit = 3, mutable = "transit", req = "R-HDR-008", meaning = "in-band congestion mark; may be set in transit, taken as 0 by the trailer", }, {name = "R", bit = 2, mutable = "resend", req = "R-PATH-007", meaning = "this slot was transmitted before", }, {name = "A", bit = 1, mutable = "resend", req = "R-ACK-002", meaning = "acknowledge at once", }, {name = "X", bit = 0, req = "R-HDR-004", meaning = "a TLV chain follows", }, }, },
      {name = "opcode", doc = "Opcode", at = 8, bits = 8, kind = "opcode", meaning = "row of packets", },
      {name = "path_id", doc = "PathId", at = 16, bits = 8, kind = "id", meaning = "the path; of packets other than slots and PROBE(T) the path whose route carries them; handshake 0", },
      {name = "path_epoch", doc = "PathEpoch", at = 24, bits = 8, kind = "serial", meaning = "epoch of the path; compared for equality only", },
      {name = "dst_conn_id", doc = "DstConnId", at = 32, bits = 32, kind = "id", meaning = "the connection, chosen by the receiver; the only demultiplexer", },
      {name = "psn", doc = "PSN", at = 64, bits = 32, kind = "serial", meaning = "slot: the slot; PROBE(T): next PSN of the path; report: AckSeq; else 0", },
      {name = "tx_stamp", doc = "TxStamp", at = 96, bits = 32, kind = "serial", unit = "16 ns", meaning = "transmission time and ordinal; strictly increasing over slots and PROBE(T) of a path", },
    },
    MEH = {
      {name = "stream_id", doc = "StreamId", at = 128, bits = 16, kind = "id", meaning = "the stream", },
      {name = "attempt", doc = "MsgFlags.Attempt", at = 144, bits = 3, kind = "uint", meaning = "which attempt at the message, from 0", },
      {name = "message_flags", doc = "MsgFlags", at = 147, bits = 5, kind = "flags", flags = {{name = "SOLICITED", bit = 4, meaning = "the receive completion is solicited", }, {name = "ORDERED", bit = 3, req = "R-ORD-011", meaning = "visible only after all earlier messages", }, {name = "UNORDERED_OK", bit = 2, meaning = "may complete before earlier messages", }, {name = "WITHDRAWN", bit = 1, mutable = "resend", req = "R-MEM-005", meaning = "only fills the slot: nothing is placed, executed or counted", }, }, },
      {name = "demand", doc = "Demand", at = 152, bits = 8, kind = "minifloat", format = "Demand8", meaning = "bytes still queued on this connection after this packet", },
      {name = "msn", doc = "MSN", at = 160, bits = 32, kind = "serial", meaning = "message number in the stream", },
      {name = "message_offset", doc = "MsgOffset", at = 192, bits = 32, kind = "uint", unit = "byte", meaning = "offset of this packet's first payload byte; 0 for READ_REQ and ATOMIC_REQ", },
    },
    WRITE = {
      {name = "rkey", doc = "RKey", at = 224, bits = 32, kind = "id", meaning = "key of the region", },
      {name = "message_length", doc = "MsgLen", at = 256, bits = 32, kind = "uint", unit = "byte", meaning = "length of the whole message", },
      {name = "remote_address", doc = "RemoteAddr", at = 288, bits = 64, kind = "uint", meaning = "address of this packet's first byte", },
    },
    WRITE_IMMEDIATE = {
      {name = "rsn", doc = "RSN", at = 352, bits = 32, kind = "serial", meaning = "receive consumed; in every fragment", },
      {name = "immediate", doc = "Imm", at = 384, bits = 32, kind = "uint", meaning = "immediate data, a number in network order; in every fragment", },
    },
    SEND = {
      {name = "rsn", doc = "RSN", at = 224, bits = 32, kind = "serial", meaning = "receive consumed", },
      {name = "message_length", doc = "MsgLen", at = 256, bits = 32, kind = "uint", unit = "byte", meaning = "length of the whole message", },
    },
    SEND_IMMEDIATE = {
      {name = "immediate", doc = "Imm", at = 288, bits = 32, kind = "uint", meaning = "immediate data, a number in network order", },
    },
    SEND_INVALIDATE = {
      {name = "invalidate_rkey", doc = "RKey to invalidate", at = 288, bits = 32, kind = "id", meaning = "key to invalidate", },
    },
    READ_REQ = {
      {name = "rkey", doc = "RKey", at = 224, bits = 32, kind = "id", meaning = "key of the region", },
      {name = "length", doc = "Len", at = 256, bits = 32, kind = "uint", unit = "byte", meaning = "bytes to read", },
      {name = "remote_address", doc = "RemoteAddr", at = 288, bits = 64, kind = "uint", meaning = "address of the first byte", },
      {name = "rd_tag", doc = "RdTag", at = 352, bits = 32, kind = "id", meaning = "names the read in its responses", },
      {name = "rate_hint", doc = "RateHint", at = 384, bits = 16, kind = "minifloat", format = "RateHint16", meaning = "share of inbound bandwidth granted to the peer", },
      {name = "hint_seq", doc = "HintSeq", at = 400, bits = 16, kind = "serial", meaning = "low 16 bits of the last AckSeq this side has sent", },
    },
    ATOMIC_REQ = {
      {name = "rkey", doc = "RKey", at = 224, bits = 32, kind = "id", meaning = "key of the region", },
      {name = "at_tag", doc = "AtTag", at = 256, bits = 32, kind = "id", meaning = "names the operation in its response", },
      {name = "remote_address", doc = "RemoteAddr", at = 288, bits = 64, kind = "uint", meaning = "address of the number", },
      {name = "op", doc = "Op", at = 352, bits = 8, kind = "enum", enum = "atomic_op", meaning = "the operation", },
      {name = "size", doc = "Size", at = 360, bits = 8, kind = "uint", unit = "byte", meaning = "width of the number", },
      {name = "reserved", at = 368, bits = 16, kind = "reserved", },
      {name = "operand_a", doc = "OperandA", at = 384, bits = 64, kind = "uint", meaning = "CAS compare, FAA addend, SWAP new value; a number in network order", },
      {name = "operand_b", doc = "OperandB", at = 448, bits = 64, kind = "uint", meaning = "CAS new value; a number in network order", },
    },
    READ_RESP = {
      {name = "rd_tag", doc = "RdTag", at = 128, bits = 32, kind = "id", meaning = "the read", },
      {name = "offset", doc = "Offset", at = 160, bits = 32, kind = "uint", unit = "byte", meaning = "offset of the payload in the read", },
      {name = "tot_len", doc = "TotLen", at = 192, bits = 32, kind = "uint", unit = "byte", meaning = "length of the whole read", },
      {name = "status", doc = "Status", at = 224, bits = 8, kind = "enum", enum = "error_code", zero = "OK", meaning = "0, or why the read failed; then no payload", },
      {name = "demand", doc = "Demand", at = 232, bits = 8, kind = "minifloat", format = "Demand8", meaning = "bytes still queued on this connection after this packet", },
      {name = "reserved", at = 240, bits = 16, kind = "reserved", },
    },
    ATOMIC_RESP = {
      {name = "at_tag", doc = "AtTag", at = 128, bits = 32, kind = "id", meaning = "the operation", },
      {name = "status", doc = "Status", at = 160, bits = 8, kind = "enum", enum = "error_code", zero = "OK", meaning = "0, or why the operation failed", },
      {name = "reserved", at = 168, bits = 24, kind = "reserved", },
      {name = "original", doc = "Original", at = 192, bits = 64, kind = "uint", meaning = "the number before the operation", },
    },
    STATUS_RESP = {
      {name = "tag", doc = "Tag", at = 128, bits = 32, kind = "id", meaning = "the read or atomic", },
      {name = "code", doc = "Code", at = 160, bits = 8, kind = "enum", enum = "error_code", meaning = "why the rest will not come", },
      {name = "kind", doc = "Kind", at = 168, bits = 8, kind = "enum", enum = "status_kind", meaning = "what the tag names", },
      {name = "reserved", at = 176, bits = 16, kind = "reserved", },
    },
    ACK = {
      {name = "rate_hint", doc = "RateHint", at = 128, bits = 16, kind = "minifloat", format = "RateHint16", meaning = "share of inbound bandwidth granted to this connection", },
      {name = "plane_up", doc = "PlaneUp", at = 144, bits = 16, kind = "bitmap", meaning = "bit k: the sender of this ACK can receive on plane k", },
      {name = "rx_bytes", doc = "RxBytes", at = 160, bits = 32, kind = "uint", unit = "64 byte", meaning = "accepted payload of the connection so far; wraps", },
      {name = "path_block_count", doc = "NPath", at = 192, bits = 8, kind = "uint", meaning = "number of path blocks", },
      {name = "stream_update_count", doc = "NStream", at = 200, bits = 8, kind = "uint", meaning = "number of stream updates", },
      {name = "ack_flags", doc = "AckFlags", at = 208, bits = 8, kind = "flags", flags = {{name = "PROBE_ANSWER", bit = 7, doc = "P", meaning = "answers a PROBE", }, {name = "PAUSED", bit = 6, doc = "S", req = "R-ACK-012", meaning = "this endpoint was paused since its last ACK: no RTT sample", }, }, },
      {name = "reserved", at = 216, bits = 8, kind = "reserved", },
    },
    NAK = {
      {name = "code", doc = "Code", at = 128, bits = 8, kind = "enum", enum = "error_code", meaning = "what happened", },
      {name = "reserved", at = 136, bits = 8, kind = "reserved", },
      {name = "stream_id", doc = "StreamId", at = 144, bits = 16, kind = "id", meaning = "stream of the message", },
      {name = "msn", doc = "MSN", at = 160, bits = 32, kind = "serial", meaning = "number of the message", },
      {name = "rsn_limit", doc = "RsnLimit", at = 192, bits = 32, kind = "serial", meaning = "receives posted so far on the stream", },
      {name = "slot_psn", doc = "SlotPSN", at = 224, bits = 32, kind = "serial", meaning = "PSN of the packet that is the cause", },
      {name = "slot_path", doc = "SlotPath", at = 256, bits = 8, kind = "id", meaning = "path of the packet that is the cause", },
      {name = "attempt", doc = "Attempt", at = 264, bits = 8, kind = "uint", meaning = "attempt that is refused", },
      {name = "retry_delay", doc = "RetryDelay", at = 272, bits = 16, kind = "minifloat", format = "RetryDelay16", meaning = "when to try again without further notice", },
    },
    PROBE = {
      {name = "probe_flags", doc = "Flags", at = 128, bits = 8, kind = "flags", flags = {{name = "IN_PATH", bit = 7, doc = "T", meaning = "takes part in the path's order: moves EchoStamp, counts in RxPkts", }, {name = "CHALLENGE", bit = 6, doc = "C", req = "R-PATH-022", meaning = "tests a route, is echoed, changes no path state", }, {name = "KEEPALIVE", bit = 5, doc = "K", meaning = "sent because nothing else was", }, {name = "PADDED", bit = 4, doc = "P", meaning = "padded to the length of a full packet", }, }, meaning = "exactly one of IN_PATH and CHALLENGE is set", },
      {name = "plane", doc = "Plane", at = 136, bits = 8, kind = "id", meaning = "plane it was sent on", },
      {name = "reserved", at = 144, bits = 16, kind = "reserved", },
      {name = "challenge", doc = "Challenge", at = 160, bits = 64, kind = "id", meaning = "echoed in PROBE_ECHO when CHALLENGE is set", },
    },
    STREAM_LIST = {
      {name = "count", doc = "Count", at = 128, bits = 8, kind = "uint", meaning = "number of stream updates", },
      {name = "reserved", at = 136, bits = 24, kind = "reserved", },
    },
    STREAM_QUERY = {
      {name = "count", doc = "Count", at = 128, bits = 8, kind = "uint", meaning = "number of entries", },
      {name = "reserved", at = 136, bits = 24, kind = "reserved", },
    },
    PLANE_STATUS = {
      {name = "plane_up", doc = "PlaneUp", at = 128, bits = 16, kind = "bitmap", meaning = "bit k: the sender can receive on plane k", },
      {name = "changed", doc = "Changed", at = 144, bits = 16, kind = "bitmap", meaning = "bit k: plane k has changed", },
      {name = "reserved", at = 160, bits = 32, kind = "reserved", },
    },
    CONN_REQ = {
      {name = "init_conn_id", doc = "InitConnId", at = 128, bits = 32, kind = "id", meaning = "ConnId the initiator wants to receive on", },
      {name = "service_id", doc = "ServiceId", at = 160, bits = 32, kind = "id", meaning = "service of the responder", },
      {name = "nonce", doc = "Nonce", at = 192, bits = 64, kind = "id", meaning = "repeated in every answer", },
      {name = "versions", doc = "Versions", at = 256, bits = 16, kind = "bitmap", meaning = "bit v: the initiator speaks version v", },
      {name = "reserved", at = 272, bits = 16, kind = "reserved", },
    },
    CONN_RETRY = {
      {name = "nonce", doc = "Nonce", at = 128, bits = 64, kind = "id", meaning = "of the request", },
      {name = "cookie", doc = "Cookie", at = 192, bits = 128, kind = "bytes", meaning = "to repeat the request with", },
    },
    CONN_ACCEPT = {
      {name = "nonce", doc = "Nonce", at = 128, bits = 64, kind = "id", meaning = "of the request", },
      {name = "resp_conn_id", doc = "RespConnId", at = 192, bits = 32, kind = "id", meaning = "ConnId the responder wants to receive on", },
      {name = "chosen_version", doc = "Version", at = 224, bits = 8, kind = "uint", meaning = "version chosen", },
      {name = "reserved", at = 232, bits = 24, kind = "reserved", },
    },
    CONN_REJECT = {
      {name = "nonce", doc = "Nonce", at = 128, bits = 64, kind = "id", meaning = "of the request", },
      {name = "reason", doc = "Reason", at = 192, bits = 16, kind = "enum", enum = "reject_reason", meaning = "why", },
      {name = "reserved", at = 208, bits = 16, kind = "reserved", },
    },
    CONN_CONFIRM = {
      {name = "nonce", doc = "Nonce", at = 128, bits = 64, kind = "id", meaning = "of the request", },
    },
    VERSION_NEG = {
      {name = "nonce", doc = "Nonce", at = 128, bits = 64, kind = "id", meaning = "of the request", },
      {name = "versions", doc = "Versions", at = 192, bits = 16, kind = "bitmap", meaning = "bit v: the responder speaks version v", },
      {name = "reserved", at = 208, bits = 16, kind = "reserved", },
    },
    CLOSE = {
      {name = "code", doc = "Code", at = 128, bits = 16, kind = "enum", enum = "close_code", meaning = "why; 0x100 + error_code for errors", },
      {name = "close_flags", doc = "Flags", at = 144, bits = 8, kind = "flags", flags = {{name = "ABORT", bit = 7, meaning = "at once, without finishing what is outstanding", }, }, },
      {name = "reserved", at = 152, bits = 8, kind = "reserved", },
      {name = "close_id", doc = "CloseId", at = 160, bits = 32, kind = "id", meaning = "names this close", },
    },
    CLOSE_ACK = {
      {name = "code", doc = "Code", at = 128, bits = 16, kind = "enum", enum = "close_code", meaning = "as in the CLOSE", },
      {name = "close_flags", doc = "Flags", at = 144, bits = 8, kind = "flags", flags = {{name = "PENDING", bit = 7, meaning = "understood, own work is still being finished", }, }, },
      {name = "reserved", at = 152, bits = 8, kind = "reserved", },
      {name = "close_id", doc = "CloseId", at = 160, bits = 32, kind = "id", meaning = "as in the CLOSE", },
    },
    RESET = {
      {name = "dead_conn_id", doc = "DeadConnId", at = 128, bits = 32, kind = "id", meaning = "the unknown ConnId", },
      {name = "reserved", at = 160, bits = 32, kind = "reserved", },
      {name = "token", doc = "Token", at = 192, bits = 128, kind = "bytes", meaning = "RESET_TOKEN announced for that ConnId", },
    },
  },
  structures = {
    PATH_BLOCK = {
      {name = "path_id", doc = "PathId", at = 0, bits = 8, kind = "id", meaning = "the path", },
      {name = "epoch", doc = "Epoch", at = 8, bits = 8, kind = "serial", meaning = "epoch of the packet that carried EchoStamp", },
      {name = "flags", doc = "Flags", at = 16, bits = 8, kind = "flags", flags = {{name = "GAP", bit = 7, doc = "G", meaning = "a new gap", }, {name = "MARKED", bit = 6, doc = "C", meaning = "the packet that caused the report carried CE", }, {name = "OUT_OF_WINDOW", bit = 5, doc = "O", req = "R-PATH-004", meaning = "a slot was dropped as beyond the window", }, }, },
      {name = "words", doc = "W", at = 24, bits = 8, kind = "uint", meaning = "bitmap words present, at most 16; trailing zero words are omitted", },
      {name = "cum_psn", doc = "CumPSN", at = 32, bits = 32, kind = "serial", meaning = "all PSN before it were accepted, it itself was not", },
      {name = "echo_stamp", doc = "EchoStamp", at = 64, bits = 32, kind = "serial", unit = "16 ns", meaning = "highest TxStamp received on the path", },
      {name = "ack_delay", doc = "AckDelay", at = 96, bits = 16, kind = "uint", unit = "64 ns", meaning = "from arrival of the echoed packet to this report; 0xFFFF: no RTT sample", },
      {name = "sack_offset", doc = "SackOff", at = 112, bits = 16, kind = "uint", meaning = "bit i of the bitmap is PSN CumPSN + SackOff + i", },
      {name = "rx_packets", doc = "RxPkts", at = 128, bits = 32, kind = "uint", meaning = "slots (accepted or duplicate) and PROBE(T) received so far; wraps", },
      {name = "ce_packets", doc = "CePkts", at = 160, bits = 16, kind = "uint", meaning = "how many of them carried CE or M; wraps", },
      {name = "duplicates", doc = "DupPkts", at = 176, bits = 16, kind = "uint", meaning = "how many were duplicates; wraps", },
      {name = "bitmap", doc = "bitmap", at = 192, bits = 64, kind = "bitmap", ["repeat"] = "words", meaning = "word k is a big-endian integer; bit i is word i / 64, bit i mod 64 from the least significant", },
    },
    STREAM_UPDATE = {
      {name = "stream_id", doc = "StreamId", at = 0, bits = 16, kind = "id", meaning = "the stream", },
      {name = "flags", doc = "Flags", at = 16, bits = 8, kind = "flags", flags = {{name = "REFUSED", bit = 7, doc = "R", req = "R-ERR-003", meaning = "message NextMSN is refused, Code = refused attempt", }, {name = "FAILED", bit = 6, doc = "E", req = "R-ERR-003", meaning = "message NextMSN failed, Code = error_code", }, {name = "LIMIT_VALID", bit = 5, doc = "V", meaning = "RsnLimit is valid", }, {name = "OPEN", bit = 4, doc = "O", req = "R-ORD-008", meaning = "the stream is open here", }, {name = "QUIET", bit = 3, doc = "Q", meaning = "this side's requester has stopped", }, }, },
      {name = "code", doc = "Code", at = 24, bits = 8, kind = "uint", meaning = "refused attempt or error_code, by the flags", },
      {name = "next_msn", doc = "NextMSN", at = 32, bits = 32, kind = "serial", meaning = "every message before it is complete", },
      {name = "rsn_limit", doc = "RsnLimit", at = 64, bits = 32, kind = "serial", meaning = "receives posted so far", },
    },
    STREAM_ENTRY = {
      {name = "stream_id", doc = "StreamId", at = 0, bits = 16, kind = "id", meaning = "the stream", },
      {name = "reserved", at = 16, bits = 16, kind = "reserved", },
    },
    PLANE_ADDRESS = {
      {name = "plane", doc = "Plane", at = 0, bits = 8, kind = "id", meaning = "the plane, 0..15", },
      {name = "family", doc = "Family", at = 8, bits = 8, kind = "enum", enum = "address_family", meaning = "of the address", },
      {name = "port", doc = "Port", at = 16, bits = 16, kind = "uint", meaning = "UDP port", },
      {name = "address", doc = "Address", at = 32, kind = "bytes", bits_by = {field = "family", cases = {["4"] = 32, ["6"] = 128, }, }, meaning = "where the sender receives", },
    },
    STREAM_OPEN = {
      {name = "stream_id", doc = "StreamId", at = 0, bits = 16, kind = "id", meaning = "the stream", },
      {name = "posted", doc = "Posted", at = 16, bits = 16, kind = "uint", meaning = "receives posted already", },
    },
    TLV = {
      {name = "type", doc = "Type", at = 0, bits = 8, kind = "tlv_type", meaning = "row of tlvs; bit 7 critical", },
      {name = "length_words", doc = "LenWords", at = 8, bits = 8, kind = "uint", meaning = "32-bit words, this one included", },
      {name = "value", doc = "value", at = 16, bits = "32 * length_words - 16", kind = "bytes", meaning = "the first 16 bits in the first word, the rest after it", },
    },
  },
  packets = {
    [0x01] = {name = "CONN_REQ", header_bytes = 36, slot = false, seed_zero = true, parameters = true, layout = {"BASE", "CONN_REQ", }, body = {{part = "options", when = "always", }, {part = "padding", name = "padding", }, }},
    [0x02] = {name = "CONN_RETRY", header_bytes = 40, slot = false, seed_zero = true, parameters = true, layout = {"BASE", "CONN_RETRY", }, body = {{part = "options", when = "flag_x", }, }},
    [0x03] = {name = "CONN_ACCEPT", header_bytes = 32, slot = false, seed_zero = true, parameters = true, layout = {"BASE", "CONN_ACCEPT", }, body = {{part = "options", when = "always", }, }},
    [0x04] = {name = "CONN_REJECT", header_bytes = 28, slot = false, seed_zero = true, parameters = true, layout = {"BASE", "CONN_REJECT", }, body = {{part = "options", when = "always", }, }},
    [0x05] = {name = "CONN_CONFIRM", header_bytes = 24, slot = false, seed_zero = true, parameters = true, layout = {"BASE", "CONN_CONFIRM", }, body = {{part = "options", when = "flag_x", }, }},
    [0x06] = {name = "VERSION_NEG", header_bytes = 28, slot = false, seed_zero = true, parameters = false, layout = {"BASE", "VERSION_NEG", }, body = {{part = "options", when = "flag_x", }, }},
    [0x07] = {name = "CLOSE", header_bytes = 24, slot = false, seed_zero = false, parameters = false, layout = {"BASE", "CLOSE", }, body = {{part = "options", when = "flag_x", }, }},
    [0x08] = {name = "CLOSE_ACK", header_bytes = 24, slot = false, seed_zero = false, parameters = false, layout = {"BASE", "CLOSE_ACK", }, body = {{part = "options", when = "flag_x", }, }},
    [0x09] = {name = "RESET", header_bytes = 40, slot = false, seed_zero = true, parameters = false, layout = {"BASE", "RESET", }, body = {{part = "options", when = "flag_x", }, }},
    [0x10] = {name = "ACK", header_bytes = 28, slot = false, seed_zero = false, parameters = false, layout = {"BASE", "ACK", }, body = {{part = "list", name = "path_blocks", of = "PATH_BLOCK", count = "path_block_count", }, {part = "list", name = "stream_updates", of = "STREAM_UPDATE", count = "stream_update_count", }, {part = "options", when = "flag_x", }, }},
    [0x11] = {name = "NAK", header_bytes = 36, slot = false, seed_zero = false, parameters = false, layout = {"BASE", "NAK", }, body = {{part = "options", when = "flag_x", }, }},
    [0x12] = {name = "PROBE", header_bytes = 28, slot = false, seed_zero = false, parameters = false, layout = {"BASE", "PROBE", }, body = {{part = "options", when = "flag_x", }, {part = "padding", name = "padding", }, }},
    [0x15] = {name = "CREDIT", header_bytes = 20, slot = false, seed_zero = false, parameters = false, layout = {"BASE", "STREAM_LIST", }, body = {{part = "list", name = "stream_updates", of = "STREAM_UPDATE", count = "count", }, {part = "options", when = "flag_x", }, }},
    [0x16] = {name = "STREAM_QUERY", header_bytes = 20, slot = false, seed_zero = false, parameters = false, layout = {"BASE", "STREAM_QUERY", }, body = {{part = "list", name = "streams", of = "STREAM_ENTRY", count = "count", }, {part = "options", when = "flag_x", }, }},
    [0x17] = {name = "STREAM_STATUS", header_bytes = 20, slot = false, seed_zero = false, parameters = false, layout = {"BASE", "STREAM_LIST", }, body = {{part = "list", name = "stream_updates", of = "STREAM_UPDATE", count = "count", }, {part = "options", when = "flag_x", }, }},
    [0x18] = {name = "PLANE_STATUS", header_bytes = 24, slot = false, seed_zero = false, parameters = false, layout = {"BASE", "PLANE_STATUS", }, body = {{part = "options", when = "flag_x", }, }},
    [0x20] = {name = "WRITE", header_bytes = 44, slot = true, seed_zero = false, parameters = false, layout = {"BASE", "MEH", "WRITE", }, body = {{part = "options", when = "flag_x", }, {part = "payload", name = "payload", }, }},
    [0x21] = {name = "WRITE_IMM", header_bytes = 52, slot = true, seed_zero = false, parameters = false, layout = {"BASE", "MEH", "WRITE", "WRITE_IMMEDIATE", }, body = {{part = "options", when = "flag_x", }, {part = "payload", name = "payload", }, }},
    [0x22] = {name = "SEND", header_bytes = 36, slot = true, seed_zero = false, parameters = false, layout = {"BASE", "MEH", "SEND", }, body = {{part = "options", when = "flag_x", }, {part = "payload", name = "payload", }, }},
    [0x23] = {name = "SEND_IMM", header_bytes = 40, slot = true, seed_zero = false, parameters = false, layout = {"BASE", "MEH", "SEND", "SEND_IMMEDIATE", }, body = {{part = "options", when = "flag_x", }, {part = "payload", name = "payload", }, }},
    [0x24] = {name = "SEND_INV", header_bytes = 40, slot = true, seed_zero = false, parameters = false, layout = {"BASE", "MEH", "SEND", "SEND_INVALIDATE", }, body = {{part = "options", when = "flag_x", }, {part = "payload", name = "payload", }, }},
    [0x25] = {name = "READ_REQ", header_bytes = 52, slot = true, seed_zero = false, parameters = false, layout = {"BASE", "MEH", "READ_REQ", }, body = {{part = "options", when = "flag_x", }, }},
    [0x26] = {name = "ATOMIC_REQ", header_bytes = 64, slot = true, seed_zero = false, parameters = false, layout = {"BASE", "MEH", "ATOMIC_REQ", }, body = {{part = "options", when = "flag_x", }, }},
    [0x30] = {name = "READ_RESP", header_bytes = 32, slot = true, seed_zero = false, parameters = false, layout = {"BASE", "READ_RESP", }, body = {{part = "options", when = "flag_x", }, {part = "payload", name = "payload", }, }},
    [0x31] = {name = "ATOMIC_RESP", header_bytes = 32, slot = true, seed_zero = false, parameters = false, layout = {"BASE", "ATOMIC_RESP", }, body = {{part = "options", when = "flag_x", }, }},
    [0x32] = {name = "STATUS_RESP", header_bytes = 24, slot = true, seed_zero = false, parameters = false, layout = {"BASE", "STATUS_RESP", }, body = {{part = "options", when = "flag_x", }, }},
  },
  tlvs = {
    [0x00] = {name = "END", scope = "general", fields = {
      {name = "reserved", at = 16, bits = 16, kind = "reserved", },
    },
    },
    [0x02] = {name = "PROBE_ECHO", scope = "general", fields = {
      {name = "reserved", at = 16, bits = 16, kind = "reserved", },
      {name = "challenge", doc = "Challenge", at = 32, bits = 64, kind = "id", meaning = "of the probe", },
    },
    },
    [0x03] = {name = "PLANE_HINT", scope = "general", fields = {
    },
    },
    [0x04] = {name = "PARITY", scope = "general", fields = {
    },
    },
    [0x05] = {name = "TRACE", scope = "general", fields = {
    },
    },
    [0x90] = {name = "PLANES", scope = "parameter", fields = {
      {name = "count", doc = "count", at = 16, bits = 8, kind = "uint", meaning = "number of planes", },
      {name = "reserved", at = 24, bits = 8, kind = "reserved", },
      {name = "planes", at = 32, kind = "list", of = "PLANE_ADDRESS", ["repeat"] = "count", meaning = "one per plane, planes distinct", },
    },
    },
    [0x91] = {name = "MAX_PATHS", scope = "parameter", fields = {
      {name = "max_paths", doc = "MAX_PATHS", at = 16, bits = 16, kind = "uint", meaning = "paths accepted", },
    },
    },
    [0x92] = {name = "TRACK_WINDOW", scope = "parameter", fields = {
      {name = "track_window_log2", doc = "TRACK_WINDOW", at = 16, bits = 16, kind = "uint", meaning = "logarithm of the tracking window accepted", },
    },
    },
    [0x93] = {name = "SACK_WORDS", scope = "parameter", fields = {
      {name = "sack_words", doc = "SACK_WORDS", at = 16, bits = 16, kind = "uint", meaning = "words of bitmap a path block covers", },
    },
    },
    [0x94] = {name = "MAX_PAYLOAD", scope = "parameter", fields = {
      {name = "max_payload", doc = "MAX_PAYLOAD", at = 16, bits = 16, kind = "uint", unit = "byte", meaning = "payload of a full packet", },
    },
    },
    [0x95] = {name = "MAX_STREAMS", scope = "parameter", fields = {
      {name = "max_streams", doc = "MAX_STREAMS", at = 16, bits = 16, kind = "uint", meaning = "stream ids accepted are below it", },
    },
    },
    [0x96] = {name = "MAX_OPEN_MSGS", scope = "parameter", fields = {
      {name = "max_open_messages", doc = "MAX_OPEN_MSGS", at = 16, bits = 16, kind = "uint", meaning = "incomplete messages accepted, over all streams", },
    },
    },
    [0x97] = {name = "MAX_READS", scope = "parameter", fields = {
      {name = "max_reads", doc = "MAX_READS", at = 16, bits = 16, kind = "uint", meaning = "reads and atomics served at once", },
    },
    },
    [0x98] = {name = "MAX_MESSAGE", scope = "parameter", fields = {
      {name = "reserved", at = 16, bits = 16, kind = "reserved", },
      {name = "max_message", doc = "MAX_MESSAGE", at = 32, bits = 32, kind = "uint", unit = "byte", meaning = "longest message accepted", },
    },
    },
    [0x19] = {name = "STREAMS_OPEN", scope = "parameter", fields = {
      {name = "count", doc = "count", at = 16, bits = 16, kind = "uint", meaning = "number of streams", },
      {name = "streams_open", at = 32, kind = "list", of = "STREAM_OPEN", ["repeat"] = "count", meaning = "one per stream", },
    },
    },
    [0x9A] = {name = "ACK_POLICY", scope = "parameter", fields = {
      {name = "ack_every", doc = "AckEvery", at = 16, bits = 8, kind = "uint", meaning = "packets", },
      {name = "ack_kib", doc = "AckKiB", at = 24, bits = 8, kind = "uint", meaning = "KiB", },
      {name = "max_ack_delay_ns", doc = "MaxAckDelay", at = 32, bits = 32, kind = "uint", unit = "ns", meaning = "time", },
    },
    },
    [0x1B] = {name = "CAPACITY", scope = "parameter", fields = {
      {name = "reserved", at = 16, bits = 16, kind = "reserved", },
      {name = "capacity_mbit", doc = "CAPACITY", at = 32, bits = 32, kind = "uint", unit = "Mbit/s", meaning = "inbound line rate over all planes; 0 unknown", },
    },
    },
    [0x1C] = {name = "WEIGHT", scope = "parameter", fields = {
      {name = "weight", doc = "WEIGHT", at = 16, bits = 16, kind = "uint", meaning = "weight asked for in the peer's shares", },
    },
    },
    [0x1D] = {name = "INIT_BUDGET", scope = "parameter", fields = {
      {name = "reserved", at = 16, bits = 16, kind = "reserved", },
      {name = "init_budget", doc = "INIT_BUDGET", at = 32, bits = 32, kind = "uint", unit = "byte", meaning = "most bytes before the first hint", },
    },
    },
    [0x9E] = {name = "ECN_MODE", scope = "parameter", fields = {
      {name = "ecn_mode", doc = "ECN_MODE", at = 16, bits = 16, kind = "enum", enum = "ecn_mode", meaning = "what the sender reads on arrival", },
    },
    },
    [0x9F] = {name = "INTEGRITY", scope = "parameter", fields = {
      {name = "integrity", doc = "INTEGRITY", at = 16, bits = 16, kind = "flags", flags = {{name = "NONE", bit = 0, meaning = "no check", }, {name = "CRC32C", bit = 1, meaning = "the trailer", }, {name = "AEAD_1", bit = 2, meaning = "AES-128-GCM", }, }, meaning = "request: all offered; accept: the one chosen", },
    },
    },
    [0xA0] = {name = "CRC_SEED", scope = "parameter", fields = {
      {name = "reserved", at = 16, bits = 16, kind = "reserved", },
      {name = "crc_seed", doc = "CRC_SEED", at = 32, bits = 32, kind = "uint", meaning = "trailer seed of packets to the sender", },
    },
    },
    [0xA1] = {name = "PSN_SEED", scope = "parameter", fields = {
      {name = "reserved", at = 16, bits = 16, kind = "reserved", },
      {name = "psn_seed", doc = "PSN_SEED", at = 32, bits = 32, kind = "uint", meaning = "first PSN of the sender's path i = seed + i * PSN_STRIDE mod 2^32", },
    },
    },
    [0x22] = {name = "IDLE_TIMES", scope = "parameter", fields = {
      {name = "reserved", at = 16, bits = 16, kind = "reserved", },
      {name = "keepalive_ms", doc = "IDLE_TIMES", at = 32, bits = 32, kind = "uint", unit = "ms", meaning = "idle time before a keepalive", },
      {name = "dead_ms", doc = "IDLE_TIMES", at = 64, bits = 32, kind = "uint", unit = "ms", meaning = "time without delivery after which the peer is dead; 0 never", },
    },
    },
    [0xA3] = {name = "FEATURES", scope = "parameter", fields = {
      {name = "reserved", at = 16, bits = 16, kind = "reserved", },
      {name = "features_supported", doc = "FEATURES", at = 32, bits = 32, kind = "flags", flags = {{name = "SRQ", bit = 0, meaning = "shared receive queues", }, {name = "ORDERED", bit = 1, meaning = "ordered writes", }, {name = "SUBWORD_ATOMICS", bit = 2, meaning = "atomics of less than eight bytes", }, }, meaning = "supported here", },
      {name = "features_required", doc = "FEATURES", at = 64, bits = 32, kind = "flags", flags = {{name = "SRQ", bit = 0, meaning = "shared receive queues", }, {name = "ORDERED", bit = 1, meaning = "ordered writes", }, {name = "SUBWORD_ATOMICS", bit = 2, meaning = "atomics of less than eight bytes", }, }, meaning = "required of the other side", },
    },
    },
    [0xA4] = {name = "RESET_TOKEN", scope = "parameter", fields = {
      {name = "reserved", at = 16, bits = 16, kind = "reserved", },
      {name = "reset_token", doc = "RESET_TOKEN", at = 32, bits = 128, kind = "bytes", meaning = "token", },
    },
    },
    [0xA5] = {name = "COOKIE", scope = "parameter", fields = {
      {name = "reserved", at = 16, bits = 16, kind = "reserved", },
      {name = "cookie", doc = "COOKIE", at = 32, bits = 128, kind = "bytes", meaning = "of the CONN_RETRY", },
    },
    },
    [0x26] = {name = "ATOMIC_CAPS", scope = "parameter", fields = {
      {name = "atomic_caps", doc = "ATOMIC_CAPS", at = 16, bits = 16, kind = "flags", flags = {{name = "EIGHT_BYTES", bit = 0, meaning = "eight bytes: CAS, FAA, SWAP", }, {name = "SUBWORD", bit = 1, meaning = "one to four bytes", }, }, meaning = "atomic operations offered", },
    },
    },
    [0x27] = {name = "PRIVATE_DATA", scope = "parameter", fields = {
      {name = "length", doc = "length", at = 16, bits = 16, kind = "uint", meaning = "bytes of data", },
      {name = "private_data", at = 32, bits = "8 * length", kind = "bytes", meaning = "zero padded to a word", },
    },
    },
    [0x28] = {name = "ORDERED_STASH", scope = "parameter", fields = {
      {name = "ordered_stash", doc = "ORDERED_STASH", at = 16, bits = 16, kind = "uint", unit = "packet", meaning = "outstanding ordered writes accepted", },
    },
    },
  },
  secured = {
      {name = "version", at = 0, bits = 4, kind = "uint", meaning = "15", },
      {name = "flags", at = 4, bits = 4, kind = "flags", flags = {{name = "M", bit = 3, mutable = "transit", meaning = "as in the base header", }, }, },
      {name = "key_phase", doc = "KeyPhase", at = 8, bits = 8, kind = "serial", meaning = "which keys", },
      {name = "reserved", at = 16, bits = 16, kind = "reserved", },
      {name = "dst_conn_id", doc = "DstConnId", at = 32, bits = 32, kind = "id", meaning = "the connection", },
      {name = "counter", doc = "Counter", at = 64, bits = 64, kind = "serial", meaning = "new for every transmission", },
    },
}

-- The rest is the interpreter of the table above, written by hand.
local bits = bit32 or bit -- neither in very new Lua: then trailers are shown and not checked
local proto = Proto("metaroce", "MetaRoCE")
proto.prefs.port = Pref.uint("UDP port", T.port, "Port that endpoints receive on")
proto.prefs.check = Pref.bool("Check trailers", true, "Compare the CRC32C where the seed was seen in the handshake")

local fields = {}
local seen = {}

local function add_field(key, field)
  if not seen[key] then
    seen[key] = field
    fields[#fields + 1] = field
  end
end

local function values(enum, zero)
  local out = {}
  if zero then
    out[0] = zero
  end
  for _, one in ipairs(T.enums[enum]) do
    out[one.value] = one.name
  end
  return out
end

local opcodes = {}
for code, packet in pairs(T.packets) do
  opcodes[code] = packet.name
end
local types = {}
for code, option in pairs(T.tlvs) do
  types[code] = option.name
end

local uints = {[8] = ProtoField.uint8, [16] = ProtoField.uint16, [24] = ProtoField.uint24, [32] = ProtoField.uint32, [64] = ProtoField.uint64}

local function container(field)
  return field.bits < 8 and 8 or field.bits
end

-- Where the bits of a field stand in its container: only fields of less than a byte are shifted.
local function shift(field)
  return container(field) - field.at % 8 - field.bits
end

local function define(prefix, all)
  for _, field in ipairs(all) do
    local key = prefix .. "." .. field.name
    local label = field.doc or field.name
    if type(field.bits) ~= "number" or field.kind == "bytes" then
      if field.kind ~= "list" then
        add_field(key, ProtoField.bytes(key, label, base.NONE, field.meaning))
      end
    elseif field.kind ~= "reserved" then
      local make = uints[container(field)]
      local isNumber = field.kind == "uint" or field.kind == "serial" or field.kind == "enum"
        or field.kind == "id" and field.bits <= 16
      local names = field.enum and values(field.enum, field.zero) or field.kind == "opcode" and opcodes or nil
      local mask = field.bits < 8 and (2 ^ field.bits - 1) * 2 ^ shift(field) or nil
      add_field(key, make(key, label, isNumber and base.DEC or base.HEX, names, mask, field.meaning))
      for _, flag in ipairs(field.flags or {}) do
        local at = 2 ^ (flag.bit + shift(field))
        local name = key .. "." .. flag.name:lower()
        add_field(name, ProtoField.bool(name, flag.name, container(field), nil, at, flag.meaning))
      end
    end
  end
end

for name, all in pairs(T.headers) do
  define("metaroce." .. name:lower(), all)
end
for name, all in pairs(T.structures) do
  local key = "metaroce." .. name:lower()
  add_field(key, ProtoField.none(key, name))
  define(key, all)
end
for _, option in pairs(T.tlvs) do
  define("metaroce.tlv." .. option.name:lower(), option.fields)
end
define("metaroce.secured", T.secured)
add_field("metaroce.tlv.option", ProtoField.none("metaroce.tlv.option", "Option"))
add_field("metaroce.tlv.type", ProtoField.uint8("metaroce.tlv.type", "Type", base.HEX, types))
add_field("metaroce.tlv.length_words", ProtoField.uint8("metaroce.tlv.length_words", "LenWords"))
add_field("metaroce.tlv.value", ProtoField.bytes("metaroce.tlv.value", "Value"))
add_field("metaroce.payload", ProtoField.bytes("metaroce.payload", "Payload"))
add_field("metaroce.payload_length", ProtoField.uint32("metaroce.payload_length", "Payload length"))
add_field("metaroce.padding", ProtoField.bytes("metaroce.padding", "Padding"))
add_field("metaroce.trailer", ProtoField.uint32("metaroce.trailer", "CRC32C", base.HEX))
add_field("metaroce.trailer.status", ProtoField.string("metaroce.trailer.status", "Trailer"))
add_field("metaroce.ciphertext", ProtoField.bytes("metaroce.ciphertext", "Ciphertext"))
add_field("metaroce.tag", ProtoField.bytes("metaroce.tag", "Tag"))
proto.fields = fields

local malformed = ProtoExpert.new("metaroce.malformed", "Malformed packet", expert.group.MALFORMED, expert.severity.ERROR)
local unknown = ProtoExpert.new("metaroce.unknown", "Unknown to this version", expert.group.UNDECODED, expert.severity.WARN)
local wrong = ProtoExpert.new("metaroce.trailer.wrong", "Trailer does not match", expert.group.CHECKSUM, expert.severity.ERROR)
local resent = ProtoExpert.new("metaroce.resent", "Slot was transmitted before", expert.group.SEQUENCE, expert.severity.NOTE)
proto.experts = {malformed, unknown, wrong, resent}

-- Thrown by error(): what a packet is not allowed to be.
local function fault(kind, why)
  error({kind = kind, why = why}, 0)
end

local function minifloat(format, code)
  if format == "RateHint16" then
    local exponent, mantissa = math.floor(code / 2048), code % 2048
    if code == 0 then
      return "no hint"
    elseif mantissa == 0 then
      return "pause"
    end
    return string.format("%.6g Mbit/s", mantissa * 2 ^ exponent / 1000)
  elseif format == "Demand8" then
    return code == 0 and "nothing queued"
      or string.format("%d bytes", (16 + code % 16) * 2 ^ (math.floor(code / 16) + 8))
  end
  return string.format("%.2f ms", code / 100)
end

local function number(range, field)
  local value = range:uint()
  return field.bits < 8 and math.floor(value / 2 ^ shift(field)) % 2 ^ field.bits or value
end


-- Shows fields that begin at byte `from`; returns the byte after the last one. `got` collects numbers by name.
local show_structure
local function show(tree, tvb, from, limit, prefix, all, got)
  local last = from
  for _, field in ipairs(all) do
    local at = from + math.floor(field.at / 8)
    local key = prefix .. "." .. field.name
    if field.kind == "list" then
      for _ = 1, got[field["repeat"]] or 0 do
        at = show_structure(tree, tvb, at, limit, field.of)
      end
      last = math.max(last, at)
    else
      local width = field.bits
      if field.bits_by then
        width = field.bits_by.cases[tostring(got[field.bits_by.field])] or fault(malformed, "address family")
      elseif type(width) == "string" then
        width = 8 * got[width:match("8 %* (%w+)")]
      end
      local bytes = math.ceil(width / 8)
      for _ = 1, field["repeat"] and got[field["repeat"]] or 1 do
        if at + bytes > limit then
          fault(malformed, field.name .. " reaches past the end")
        end
        if field.kind ~= "reserved" and bytes > 0 then
          local range = tvb(at, bytes)
          local item = tree:add(seen[key], range)
          if bytes <= 4 and field.kind ~= "bytes" then
            got[field.name] = number(range, field)
          end
          if field.format then
            item:append_text(" (" .. minifloat(field.format, got[field.name]) .. ")")
          elseif field.unit then
            item:append_text(" × " .. field.unit)
          end
          for _, flag in ipairs(field.flags or {}) do
            item:add(seen[key .. "." .. flag.name:lower()], range)
          end
        end
        at = at + bytes
      end
      last = math.max(last, at)
    end
  end
  return last
end

function show_structure(tree, tvb, at, limit, name)
  local key = "metaroce." .. name:lower()
  local all = T.structures[name]
  local item = tree:add(seen[key], tvb(at, math.max(0, math.min(4, limit - at))))
  local got = {}
  local ends = show(item, tvb, at, limit, key, all, got)
  if name == "PATH_BLOCK" then
    if got.words > T.sack_words_max then
      fault(malformed, "a path block of " .. got.words .. " words")
    end
    item:append_text(string.format(" of path %d: CumPSN %u, %u received", got.path_id, got.cum_psn, got.rx_packets))
  elseif got.stream_id then
    item:append_text(" of stream " .. got.stream_id .. (got.next_msn and ": NextMSN " .. got.next_msn or ""))
  end
  item:set_len(ends - at)
  return ends
end

-- One chain of options; returns the byte after its end.
local function show_options(tree, tvb, at, limit, packet, told)
  local once = {}
  while true do
    if at + 4 > limit then
      fault(malformed, "the chain of options has no end")
    end
    local kind, words = tvb(at, 1):uint(), tvb(at + 1, 1):uint()
    if words == 0 or at + 4 * words > limit then
      fault(malformed, "an option reaches past the end")
    end
    local option = T.tlvs[kind]
    if option and option.scope == "parameter" and not packet.parameters then
      option = nil
    end
    local item = tree:add(seen["metaroce.tlv.option"], tvb(at, 4 * words))
    item:append_text(": " .. (option and option.name or string.format("unknown 0x%02X", kind)))
    item:add(seen["metaroce.tlv.type"], tvb(at, 1))
    item:add(seen["metaroce.tlv.length_words"], tvb(at + 1, 1))
    if not option then
      item:add(seen["metaroce.tlv.value"], tvb(at + 2, 4 * words - 2))
      if kind >= 128 then
        fault(unknown, string.format("an option that must be understood: 0x%02X", kind))
      end
    elseif #option.fields == 0 then
      item:add(seen["metaroce.tlv.value"], tvb(at + 2, 4 * words - 2))
    else
      if once[kind] and option.scope == "parameter" then
        fault(malformed, option.name .. " twice")
      end
      once[kind] = true
      local got = {}
      local ends = show(item, tvb, at, at + 4 * words, "metaroce.tlv." .. option.name:lower(), option.fields, got)
      if math.ceil((ends - at) / 4) ~= words then
        fault(malformed, option.name .. " has another length")
      end
      for name, value in pairs(got) do
        told[name] = value
      end
    end
    at = at + 4 * words
    if kind == 0 then
      return at
    end
  end
end

-- CRC32C, reflected; seeds are learnt from the handshake: whoever will receive packets tells theirs.
local crc_of = {}
if bits then
  for i = 0, 255 do
    local c = i
    for _ = 1, 8 do
      c = c % 2 == 1 and bits.bxor(math.floor(c / 2), 0x82F63B78) % 2 ^ 32 or math.floor(c / 2)
    end
    crc_of[i] = c
  end
end

local function crc(seed, bytes)
  local c = 0xFFFFFFFF
  local function add(b)
    c = bits.bxor(math.floor(c / 256), crc_of[bits.bxor(c % 256, b) % 256]) % 2 ^ 32
  end
  for shift_by = 24, 0, -8 do
    add(math.floor(seed / 2 ^ shift_by) % 256)
  end
  local first = bytes:byte(1)
  add(first - (math.floor(first / 8) % 2) * 8) -- flag M is taken as 0
  for i = 2, #bytes do
    add(bytes:byte(i))
  end
  return bits.bxor(c, 0xFFFFFFFF) % 2 ^ 32
end

local seeds = {}
function proto.init()
  seeds = {}
end

local function show_trailer(tree, tvb, packet, conn)
  local at = tvb:len() - T.trailer_bytes
  local item = tree:add(seen["metaroce.trailer"], tvb(at, T.trailer_bytes))
  local seed = packet.seed_zero and 0 or seeds[conn]
  local status = "not checked"
  if bits and proto.prefs.check and seed then
    status = crc(seed, tvb:raw(0, at)) == tvb(at, T.trailer_bytes):uint() and "right" or "wrong"
  end
  tree:add(seen["metaroce.trailer.status"], status):set_generated()
  if status == "wrong" then
    item:add_proto_expert_info(wrong)
  end
end

local function info_of(packet, got, payload)
  local out = packet.name
  if packet.slot then
    out = out .. string.format(" path %d psn %u", got.path_id, got.psn)
  end
  if got.msn and got.stream_id then
    out = out .. string.format(" stream %d msn %u", got.stream_id, got.msn)
  end
  if got.message_offset and got.message_offset > 0 then
    out = out .. " at " .. got.message_offset
  end
  if payload > 0 then
    out = out .. " len " .. payload
  end
  if got.rate_hint then
    out = out .. " hint " .. minifloat("RateHint16", got.rate_hint)
  end
  if got.path_block_count then
    out = out .. string.format(" %d blocks", got.path_block_count)
  end
  local code = got.code or got.status or got.reason
  if code and code > 0 then
    local names = {}
    for _, one in ipairs(T.enums[packet.name:match("^CLOSE") and "close_code" or packet.name == "CONN_REJECT" and "reject_reason" or "error_code"]) do
      names[one.value] = one.name
    end
    out = out .. " " .. (names[code] or "code " .. code)
  end
  return got.isResent and out .. " [resent]" or out
end

local function show_secured(tree, tvb)
  local limit = tvb:len() - 16
  if limit < 16 then
    fault(malformed, "shorter than header and tag")
  end
  show(tree, tvb, 0, limit, "metaroce.secured", T.secured, {})
  if limit > 16 then
    tree:add(seen["metaroce.ciphertext"], tvb(16, limit - 16))
  end
  tree:add(seen["metaroce.tag"], tvb(limit, 16))
  return "secured"
end

local function show_packet(tree, tvb)
  if tvb:len() == 1 and tvb(0, 1):uint() == 0 then
    return "no packet: asks the network whether the port is open" -- one byte, sent when a handshake goes unanswered
  end
  if tvb:len() < 16 + T.trailer_bytes then
    fault(malformed, "shorter than base header and trailer")
  end
  local version = math.floor(tvb(0, 1):uint() / 16)
  if version == T.version_secured then
    return show_secured(tree, tvb)
  end
  if version ~= T.version then
    fault(unknown, "version " .. version)
  end
  local packet = T.packets[tvb(1, 1):uint()]
  local limit = tvb:len() - T.trailer_bytes
  local got, told = {}, {}
  local at = show(tree, tvb, 0, limit, "metaroce.base", T.headers.BASE, got)
  if not packet then
    fault(unknown, string.format("opcode 0x%02X", tvb(1, 1):uint()))
  end
  got.isResent = math.floor(got.flags / 4) % 2 == 1
  local hasOptions = got.flags % 2 == 1
  for i = 2, #packet.layout do
    local name = packet.layout[i]
    at = show(tree, tvb, 0, limit, "metaroce." .. name:lower(), T.headers[name], got)
  end
  at = packet.header_bytes
  if at > limit then
    fault(malformed, "shorter than its headers")
  end
  local payload = 0
  for _, part in ipairs(packet.body) do
    if part.part == "list" then
      for _ = 1, got[part.count] do
        at = show_structure(tree, tvb, at, limit, part.of)
      end
    elseif part.part == "options" then
      if hasOptions or part.when == "always" then
        at = show_options(tree, tvb, at, limit, packet, told)
      end
    elseif at < limit then
      payload = part.part == "payload" and limit - at or 0
      if payload > 0 then
        tree:add(seen["metaroce.payload_length"], payload):set_generated()
      end
      tree:add(seen["metaroce." .. part.part], tvb(at, limit - at))
      at = limit
    end
  end
  if at ~= limit then
    fault(malformed, (limit - at) .. " bytes are left over")
  end
  local asks = got.init_conn_id or got.resp_conn_id
  if asks and told.crc_seed then
    seeds[asks] = told.crc_seed
  end
  show_trailer(tree, tvb, packet, got.dst_conn_id)
  return info_of(packet, got, payload), got.isResent and packet.slot
end

function proto.dissector(tvb, pinfo, root)
  pinfo.cols.protocol = "MetaRoCE"
  local tree = root:add(proto, tvb())
  local isFine, info, again = pcall(show_packet, tree, tvb)
  if isFine then
    pinfo.cols.info = info
    tree:append_text(", " .. info)
    if again then
      tree:add_proto_expert_info(resent)
    end
  elseif type(info) == "table" then
    pinfo.cols.info = "faulty packet: " .. info.why
    tree:add_proto_expert_info(info.kind, info.why)
  else
    error(info, 0)
  end
  return tvb:len()
end

local port = 0
local function listen()
  local table_of_ports = DissectorTable.get("udp.port")
  if port > 0 then
    table_of_ports:remove(port, proto)
  end
  port = proto.prefs.port
  table_of_ports:add(port, proto)
end
function proto.prefs_changed()
  listen()
end
listen()
