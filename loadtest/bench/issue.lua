-- The closed-loop client of `./sluice bench` and `bench peers`: each connection asks a CA for one certificate
-- after another. Arguments:
--   head    file: the path, then a line each header
--   bodies  file: a line each request's body
--   status  of an answer that holds a certificate
--   mode    "again": all bodies in turn, for ever; a number: each body once, from that octet of the file on
-- Writes to the file that SLUICE_BENCH_RESULT names:
--   seconds issued others errors p50 p99 max (milliseconds) sent offset
-- The offset is where the next load goes on, or "out" when the bodies have run out.
-- One thread has every request; with more, each would have a share of its own.

local requests = {}
local current = 0
local bodies
local prefix
local wanted

function setup(thread)
  thread:set("issued", 0)
  thread:set("other", 0)
  -- wrk asks once for a request only to look at it.
  thread:set("sent", -1)
  thread:set("offset", 0)
  thread:set("out", 0)
  the_thread = thread
end

local function wrap(body)
  return prefix .. #body .. "\r\n\r\n" .. body
end

local function read_head(path)
  local lines = {}
  for line in io.lines(path) do
    lines[#lines + 1] = line
  end
  prefix = "POST " .. lines[1] .. " HTTP/1.1\r\nHost: localhost\r\n"
  for i = 2, #lines do
    prefix = prefix .. lines[i] .. "\r\n"
  end
  prefix = prefix .. "Content-Length: "
end

function init(args)
  read_head(args[1])
  wanted = tonumber(args[3])
  bodies = assert(io.open(args[2], "r"))
  if args[4] == "again" then
    for line in bodies:lines() do
      requests[#requests + 1] = wrap(line)
    end
    assert(#requests > 0, "no bodies")
    bodies:close()
    bodies = nil
  else
    offset = tonumber(args[4])
    assert(bodies:seek("set", offset))
  end
end

local function next_once()
  local body = bodies:read("*l")
  if body == nil then
    -- The load is over. Something must be given: what was sent before, which no CA takes twice, and nobody counts.
    out = 1
    wrk.thread:stop()
    return assert(requests[1], "the bodies have run out")
  end
  offset = offset + #body + 1
  sent = sent + 1
  requests[1] = wrap(body)
  return requests[1]
end

function request()
  if bodies then
    return next_once()
  end
  sent = sent + 1
  current = current % #requests + 1
  return requests[current]
end

function response(status)
  if status == wanted then
    issued = issued + 1
  elseif out == 0 then
    other = other + 1
  end
end

function done(summary, latency, all)
  local errors = summary.errors
  local file = assert(io.open(os.getenv("SLUICE_BENCH_RESULT"), "w"))
  file:write(string.format("%.3f %d %d %d %.1f %.1f %.1f %d %s\n", summary.duration / 1e6,
    the_thread:get("issued"), the_thread:get("other"),
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3,
    the_thread:get("sent"), the_thread:get("out") == 1 and "out" or string.format("%d", the_thread:get("offset"))))
  file:close()
end
