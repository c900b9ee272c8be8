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
