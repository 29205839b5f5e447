-- wrk script: gets one path after the other, at random.
-- Arguments: a file with a path a line; for a client with a credential, a file with its token. Writes to
-- SLUICE_BENCH_RESULT:
--   seconds answers others errors p50 p99 max (milliseconds)
local paths = {}

function init(arguments)
  if arguments[2] then
    local file = assert(io.open(arguments[2]))
    wrk.headers["Authorization"] = "Bearer " .. file:read("*l")
    file:close()
  end
  for line in io.lines(arguments[1]) do
    paths[#paths + 1] = wrk.format("GET", line)
  end
  math.randomseed(20261122)
end

function request()
  return paths[math.random(#paths)]
end

function done(summary, latency, _)
  local errors = summary.errors
  local result = assert(io.open(os.getenv("SLUICE_BENCH_RESULT"), "w"))
  result:write(string.format("%f %d %d %d %f %f %f\n", summary.duration / 1e6, summary.requests - errors.status,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
  result:close()
end
