package org.sluiceca.hsm.bench.keyless;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.hsm.bench.keyless.Results.Goal;
import org.sluiceca.hsm.bench.keyless.Results.Mixed;
import org.sluiceca.hsm.bench.keyless.Results.Pair;
import org.sluiceca.hsm.bench.keyless.Results.Tracked;

/** The results for programs; NaN is written as null. Times are in microseconds. */
final class ResultsJson {

  private ResultsJson() {}

  /** Returns one document. */
  static String of(Results results) {
    return object(
            "conditions", strings(results.conditions()),
            "goalsMissed", Long.toString(results.missed()),
            "softHsm", array(results.pairs().stream().map(ResultsJson::pair).toList()),
            "knownCapacity", array(results.tracked().stream().map(ResultsJson::tracked).toList()),
            "ecBesideRsa", array(results.mixed().stream().map(ResultsJson::mixed).toList()),
            "goals", array(results.goals().stream().map(ResultsJson::goal).toList()))
        + "\n";
  }

  private static String pair(Pair pair) {
    return object(
        "key", text(pair.kind().toString()),
        "sessions", Integer.toString(pair.crew().sessions()),
        "requesters", Integer.toString(pair.crew().requesters()),
        "rateRatio", number(pair.rateRatio()),
        "cpuRatio", number(pair.cpuRatio()),
        "addedCpuMicros", number(pair.addedCpuMicros()),
        "bare", array(pair.bare().stream().map(ResultsJson::measurement).toList()),
        "adapter", array(pair.adapter().stream().map(ResultsJson::measurement).toList()));
  }

  private static String tracked(Tracked tracked) {
    return object(
        "token", text(tracked.name()),
        "key", text(tracked.adapter().kind().toString()),
        "capacityPerSecond", number(tracked.capacity()),
        "bare", tracked.bare().map(ResultsJson::measurement).orElse("null"),
        "adapter", measurement(tracked.adapter()),
        "hsmUtilisation", number(tracked.device().map(d -> d.utilisation()).orElse(Double.NaN)),
        "hsmQueueP99", number(tracked.device().map(d -> (double) d.queueP99()).orElse(Double.NaN)));
  }

  private static String mixed(Mixed mixed) {
    return object(
        "where", text(mixed.where()),
        "by", text(mixed.by()),
        "ecAlone", measurement(mixed.before()),
        "ecBeside", measurement(mixed.alongside()),
        "rsa", measurement(mixed.rsa()),
        "ecAloneAgain", measurement(mixed.after()));
  }

  private static String measurement(Measurement seen) {
    return object(
        "workers", Integer.toString(seen.workers()),
        "count", Long.toString(seen.count()),
        "seconds", number(seen.seconds()),
        "perSecond", number(seen.perSecond()),
        "cpuMicros", number(seen.cpuMicros()),
        "mean", number(seen.meanMicros()),
        "p50", number(seen.percentileMicros(0.5)),
        "p90", number(seen.percentileMicros(0.9)),
        "p99", number(seen.percentileMicros(0.99)),
        "p99.9", number(seen.percentileMicros(0.999)),
        "max", number(seen.maxMicros()),
        "underWayPerWorker", number(seen.underWayPerWorker()));
  }

  private static String goal(Goal goal) {
    return object(
        "goal",
        text(goal.what()),
        goal.isAtLeast() ? "atLeast" : "atMost",
        number(goal.bound()),
        "seen",
        number(goal.seen()),
        "met",
        Boolean.toString(goal.isMet()));
  }

  private static String object(String... namesAndValues) {
    return Stream.iterate(0, i -> i < namesAndValues.length, i -> i + 2)
        .map(i -> text(namesAndValues[i]) + ": " + namesAndValues[i + 1])
        .collect(Collectors.joining(",\n", "{\n", "}"));
  }

  private static String array(List<String> values) {
    return values.stream().collect(Collectors.joining(",\n", "[", "]"));
  }

  private static String strings(Map<String, String> values) {
    return values.entrySet().stream()
        .map(entry -> text(entry.getKey()) + ": " + text(entry.getValue()))
        .collect(Collectors.joining(",\n", "{\n", "}"));
  }

  private static String text(String value) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private static String number(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.4f", value) : "null";
  }
}
