package org.sluiceca.hsm.bench.keyless;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.hsm.bench.keyless.Results.Goal;
import org.sluiceca.hsm.bench.keyless.Results.Mixed;
import org.sluiceca.hsm.bench.keyless.Results.Pair;
import org.sluiceca.hsm.bench.keyless.Results.Tracked;

/** The results as Markdown. */
final class Page {
  /** Of the field's benchmark: signatures a second of one virtual processor. */
  private static final double FIELD_EC = 11_090;

  private static final double FIELD_RSA = 194;

  private static final String FIELD =
      """
      Cloudflare, *Keyless SSL: Scaling and benchmarking*: gokeyless, software keys and random values made beforehand, on a c5.xlarge of 4 vCPUs
      (Xeon Platinum 8124M, 3.0 GHz), 60 s each: 2,661,570 ECDSA P-256 and 46,560 RSA-2048 signatures. The mean times it prints (22.5 µs, 1.29 ms) are
      the time of the run by its signatures; a caller of one of its four workers waited four times as long, if it had no queue. Other processors, other
      software: the line says what each makes of one processor, not which is better.
      """;

  private final Results results;
  private final int processors;
  private final StringBuilder text = new StringBuilder();

  private Page(Results results, int processors) {
    this.results = results;
    this.processors = processors;
  }

  /** Returns a Markdown document of a run on that number of processors. */
  static String of(Results results, int processors) {
    return new Page(results, processors).write();
  }

  private String write() {
    text.append("# The signing plane alone\n\n").append(verdict()).append("\n\n");
    table(
        List.of("", ""),
        results.conditions().entrySet().stream()
            .map(entry -> List.of(entry.getKey(), entry.getValue()))
            .toList());
    text.append(
        "Closed loops: each worker asks again as soon as it has its signature. The bare token is a loop in C over C_SignInit and C_Sign; the adapter is "
            + "`HsmSigner`, asked from virtual threads, with a message of 800 bytes where the loop has its digest. No two inputs are alike; the last signature "
            + "that each requester of the adapter has is verified, none of the bare loop's.\n\n");
    section("On this machine's processors");
    pairs();
    section("Alongside the field");
    field();
    section("Tokens of known capacity");
    tracked();
    section("EC alongside RSA-2048");
    mixed();
    section("Goals");
    goals();
    return text.toString();
  }

  private String verdict() {
    return results.missed() == 0
        ? "**All %d goals met.**".formatted(results.goals().size())
        : "**%d of %d goals missed.**".formatted(results.missed(), results.goals().size());
  }

  private void section(String title) {
    text.append("## ").append(title).append("\n\n");
  }

  private void pairs() {
    List<List<String>> rows = new ArrayList<>();
    for (Pair pair : results.pairs()) {
      Measurement bare = Measurement.together(pair.bare());
      Measurement adapter = Measurement.together(pair.adapter());
      rows.add(
          List.of(
              pair.kind().toString(),
              "" + pair.crew().sessions(),
              "" + pair.crew().requesters(),
              whole(bare.perSecond()),
              whole(adapter.perSecond()),
              number("%.2f", pair.rateRatio()),
              whole(bare.perCpuSecond()),
              whole(adapter.perCpuSecond()),
              number("%.1f", pair.addedCpuMicros()),
              times(bare),
              times(adapter)));
    }
    String times = "mean, p50, p99, p99.9, max ms";
    table(
        List.of(
            "key",
            "sessions",
            "requesters",
            "bare/s",
            "adapter/s",
            "ratio",
            "bare/CPU s",
            "adapter/CPU s",
            "adds CPU µs",
            "bare: " + times,
            "adapter: " + times),
        rows);
    text.append(
        "SoftHSM, whose signatures these processors make. Ratios are medians of the rounds; `/CPU s`: signatures a second of one processor that does nothing else. "
            + "With a requester for each session no requester waits for another, and each signature wakes two threads; with more, the times have the wait in them. A percentile with fewer than ten values beyond it is left out.\n\n");
  }

  private void field() {
    List<List<String>> rows = new ArrayList<>();
    Optional<Pair> ec = most(KeyKind.EC_P256);
    Optional<Pair> rsa = most(KeyKind.RSA_2048);
    rows.add(fieldRow("ECDSA P-256", FIELD_EC, ec));
    rows.add(fieldRow("RSA-2048", FIELD_RSA, rsa));
    if (ec.isPresent() && rsa.isPresent()) {
      double ours =
          Measurement.together(ec.get().adapter()).perSecond()
              / Measurement.together(rsa.get().adapter()).perSecond();
      double bare =
          Measurement.together(ec.get().bare()).perSecond()
              / Measurement.together(rsa.get().bare()).perSecond();
      rows.add(
          List.of(
              "one by the other",
              number("%.0f", FIELD_EC / FIELD_RSA),
              number("%.1f", bare),
              number("%.1f", ours)));
    }
    table(
        List.of("signatures/s of one processor", "field", "bare token here", "adapter here"), rows);
    text.append(FIELD).append('\n');
  }

  private Optional<Pair> most(KeyKind kind) {
    return results.pairs().stream().filter(pair -> pair.kind() == kind).reduce((a, b) -> b);
  }

  private List<String> fieldRow(String name, double field, Optional<Pair> ours) {
    return List.of(
        name,
        whole(field),
        whole(ours.map(p -> perProcessor(p.bare())).orElse(Double.NaN)),
        whole(ours.map(p -> perProcessor(p.adapter())).orElse(Double.NaN)));
  }

  private double perProcessor(List<Measurement> all) {
    return Measurement.together(all).perSecond() / processors;
  }

  private void tracked() {
    List<List<String>> rows = new ArrayList<>();
    for (Tracked each : results.tracked()) {
      rows.add(
          List.of(
              each.name(),
              each.adapter().kind().toString(),
              number("%.0f", each.capacity()),
              each.bare().map(b -> number("%.1f", b.perSecond())).orElse("-"),
              number("%.1f", each.adapter().perSecond()),
              number("%.1f %%", 100 * each.ofCapacity()),
              each.device().map(d -> number("%.1f %%", 100 * d.utilisation())).orElse("-"),
              each.device().map(d -> d.queueP50() + ", " + d.queueP99()).orElse("-"),
              "" + each.adapter().workers(),
              times(each.adapter())));
    }
    table(
        List.of(
            "token",
            "key",
            "capacity/s",
            "bare/s",
            "adapter/s",
            "of capacity",
            "HSM busy",
            "its queue p50, p99",
            "requesters",
            "mean, p50, p99, p99.9, max ms"),
        rows);
    text.append(
        "Simulated network HSMs of 8 servers, a queue of 150 and a round trip of 1 ms; the adapter calibrated, its window steered, as on a node. The bare loop has 16 "
            + "threads. Who asks waits in the adapter's queue, not in the HSM's.\n\n");
  }

  private void mixed() {
    List<List<String>> rows = new ArrayList<>();
    for (Mixed each : results.mixed()) {
      rows.add(mixedRow(each, "EC alone", each.before()));
      rows.add(mixedRow(each, "EC alongside RSA", each.alongside()));
      rows.add(mixedRow(each, "the RSA", each.rsa()));
      rows.add(mixedRow(each, "EC alone again", each.after()));
    }
    table(
        List.of("where", "by", "", "requesters", "signatures/s", "mean, p50, p99, p99.9, max ms"),
        rows);
    text.append(
        "Engines: a simulated HSM of 8 servers, P-256 5 ms, RSA-2048 50 ms; apart: 4 sign with EC keys alone. Processors: SoftHSM. The bare token: two programs side by side "
            + "that know nothing of each other.\n\n");
  }

  private static List<String> mixedRow(Mixed mixed, String what, Measurement seen) {
    return List.of(
        mixed.where(),
        mixed.by(),
        what,
        "" + seen.workers(),
        number("%.1f", seen.perSecond()),
        times(seen));
  }

  private void goals() {
    List<List<String>> rows = new ArrayList<>();
    for (Goal goal : results.goals()) {
      rows.add(
          List.of(
              goal.what(),
              (goal.isAtLeast() ? "≥ " : "≤ ") + number("%.2f", goal.bound()),
              number("%.3f", goal.seen()),
              goal.isMet() ? "met" : "**MISSED**"));
    }
    table(List.of("goal", "bound", "seen", ""), rows);
  }

  private static String times(Measurement seen) {
    return String.join(
        ", ",
        millis(seen.meanMicros()),
        millis(seen.percentileMicros(0.5)),
        millis(seen.percentileMicros(0.99)),
        millis(seen.percentileMicros(0.999)),
        millis(seen.maxMicros()));
  }

  private static String millis(double micros) {
    return number(micros < 10_000 ? "%.3f" : "%.1f", micros / 1e3);
  }

  private static String whole(double value) {
    return number("%,.0f", value);
  }

  private static String number(String form, double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, form, value) : "-";
  }

  private void table(List<String> heading, List<List<String>> rows) {
    text.append("| ").append(String.join(" | ", heading)).append(" |\n");
    text.append("|---".repeat(heading.size())).append("|\n");
    rows.forEach(row -> text.append("| ").append(String.join(" | ", row)).append(" |\n"));
    text.append('\n');
  }
}
