-- The closed-loop client of `./sluice bench`: each connection enrolls one request of the corpus after
-- another. Arguments: token file, corpus (one base64
-- CSR a line), profile. The result goes to the file that SLUICE_BENCH_RESULT names.
-- One thread has every request; with more, each would have a share of its own.

local requests = {}
local count = 0
local current = 0


local function first_line(path)
  local file = assert(io.open(path, "r"))
  local line = file:read("*l")
  file:close()
  return line
end

function setup(thread)
  thread:set("issued", 0)
  thread:set("other", 0)
  the_thread = thread
end

function init(args)
  local token = first_line(args[1])
  local headers = {
    ["Authorization"] = "Bearer " .. token,
    ["Content-Type"] = "application/json",
    ["Accept"] = "application/json",
  }
  for line in io.lines(args[2]) do
    count = count + 1
    requests[count] = wrk.format("POST", "/v1/certificates", headers,
      '{"profile":"' .. args[3] .. '","csr":"' .. line .. '"}')
  end
  assert(count > 0, "an empty corpus")
end

function request()
  current = current % count + 1
  return requests[current]
end

function response(status)
  if status == 201 then
    issued = issued + 1
  else
    other = other + 1
  end
end

-- seconds, 201s, other statuses, socket errors, p50, p99 and max in milliseconds
function done(summary, latency, all)
  local errors = summary.errors
  local file = assert(io.open(os.getenv("SLUICE_BENCH_RESULT"), "w"))
  file:write(string.format("%.3f %d %d %d %.1f %.1f %.1f\n", summary.duration / 1e6,
    the_thread:get("issued"), the_thread:get("other"),
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
  file:close()
end
