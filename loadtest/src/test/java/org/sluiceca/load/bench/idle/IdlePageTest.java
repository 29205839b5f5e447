package org.sluiceca.load.bench.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class IdlePageTest {

  @TempDir private Path folder;

  /** Ten minutes and two; times of processors are milliseconds of the second window. */
  private static List<String> load(
      String product, int rate, long caMillis, long databaseMillis, double p50) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "start\tproduct=%s\trate=%d\treadyMicros=9000000\treadyJitMicros=4000000"
                + "\tloadMicros=9500000",
            product,
            rate));
    lines.add(window(product, rate, 0, 120, 2 * caMillis, databaseMillis, p50));
    lines.add(window(product, rate, 120, 600, caMillis, databaseMillis, p50));
    lines.add(window(product, rate, 600, 720, caMillis / 4, databaseMillis / 4, p50));
    lines.add(stored(product, rate, 720L * rate, rate == 0 ? "none" : "ok"));
    return lines;
  }

  private static String window(
      String product, int rate, int from, int until, long ca, long database, double p50) {
    long count = (long) rate * (until - from);
    String p = rate == 0 ? "unknown" : String.format(Locale.ROOT, "%.3f", p50);
    return String.format(
        Locale.ROOT,
        "window\tproduct=%s\trate=%d\tfromSeconds=%d.000\tuntilSeconds=%d.000\tseconds=%d.000"
            + "\tdue=%d\tsent=%d\tissued=%d\tother=0\terrors=0\tp50Millis=%s\tp99Millis=%s"
            + "\tmaxMillis=%s\tcaMicros=%d\tjitMicros=%d\tdatabaseMicros=%d\tclientMicros=0"
            + "\tbusyMicros=%d\tallMicros=%d\tresidentKib=204800\tresidentMostKib=307200",
        product,
        rate,
        from,
        until,
        until - from,
        count,
        count,
        count,
        p,
        p,
        p,
        1_000 * ca,
        500 * ca,
        1_000 * database,
        1_000 * (ca + database),
        2_000_000L * (until - from));
  }

  private static String stored(String product, int rate, long added, String verified) {
    return "stored\tproduct=%s\trate=%d\tbefore=1\tafter=%d\tverified=%s\tdurability=fsync on"
        .formatted(product, rate, 1 + added, verified);
  }

  private static List<String> honest() {
    List<String> lines = new ArrayList<>(List.of("fact\ttitle\tIdle", "fact\twhat\tLow rates."));
    lines.add("fact\tcommit\tabc1234");
    lines.addAll(load("sluice", 0, 1_440, 960, 0));
    lines.addAll(load("sluice", 2, 4_800, 960, 4.5));
    lines.addAll(load("sluice", 20, 24_000, 9_600, 4));
    lines.addAll(load("step-ca", 20, 14_400, 24_000, 6));
    return lines;
  }

  @Test
  void run_honest_oneTableOfAll() throws IOException {
    assertThat(run(honest())).isZero();

    assertThat(page())
        .startsWith("# Idle\n\nLow rates.\n")
        .contains(
            "| sluice | 0 | 2 to 10 | - | - | - | 0.30 | 0.20 | - | - | 200 | 300 | 0 | 0.0 % |")
        .contains("| sluice | 20 | 0 to 2 | 20.00 | 10.00 | 4.00 | 40.00 | 8.00 | 4.00 | 4.00 |")
        .contains("| sluice | 20 | 2 to 10 | 2.50 | 1.25 | 1.00 | 5.00 | 2.00 | 4.00 | 4.00 |")
        .contains("| step-ca | 20 | 10 to 12 | 1.50 | 0.75 | 2.50 |")
        .contains("| sluice | 20 | 9.00 | 4.00 | 0.50 |")
        .contains("| sluice | 20 | 14400 | 14400 | 14400 | ok | fsync on |")
        .contains("| commit | abc1234 |")
        .doesNotContain("FAULT")
        .doesNotContain("NaN");
    assertThat(json().path("windows").size()).isEqualTo(12);
    assertThat(json().path("windows").get(7).path("caMillisEach").asDouble()).isEqualTo(2.5);
    assertThat(json().path("windows").get(1).path("caMillisEach").isNull()).isTrue();
  }

  @Test
  void run_goals_metAndMissedByTheSecondWindow() throws IOException {
    assertThat(run(honest())).isZero();

    assertThat(page())
        .contains("- MISSED: ≤ 2.0 ms of CPU a certificate, at 20/s in minutes 2 to 10 (2.50)")
        .contains("- met: ≤ 0.3 % of a core, idle node, at 0/s in minutes 2 to 10 (0.30)")
        .contains("- MISSED: ≤ 0.1 % of a core, PostgreSQL of an idle node, at 0/s")
        .contains("- met: ≤ 5.0 ms for a lone request, p50, at 2/s in minutes 2 to 10 (4.50)");
  }

  @Test
  void run_rateThatIsNotThere_goalNotJudged() throws IOException {
    List<String> lines = new ArrayList<>(List.of("fact\ttitle\tIdle"));
    lines.addAll(load("sluice", 20, 19_200, 960, 4));

    assertThat(run(lines)).isZero();

    assertThat(page())
        .contains("- met: ≤ 2.0 ms of CPU a certificate, at 20/s in minutes 2 to 10 (2.00)")
        .contains(
            "- not judged: ≤ 5.0 ms for a lone request, p50, at 2/s (the run has no such load)");
  }

  @Test
  void run_storeThatLacksOne_faultAndExit1() throws IOException {
    List<String> lines = new ArrayList<>(load("sluice", 2, 4_800, 960, 4));
    lines.set(lines.size() - 1, stored("sluice", 2, 1_439, "ok"));

    assertThat(run(lines)).isEqualTo(1);
    assertThat(page())
        .contains(
            "- FAULT: sluice, 2/s: 1440 requests were sent, 1440 certificates were answered,"
                + " 1439 are stored");
  }

  @Test
  void run_notVerifiedOrNotCounted_faults() {
    List<String> unverified = new ArrayList<>(load("sluice", 2, 4_800, 960, 4));
    unverified.set(unverified.size() - 1, stored("sluice", 2, 1_440, "expired"));
    List<String> uncounted = new ArrayList<>(load("sluice", 0, 100, 100, 0));
    uncounted.removeLast();

    assertThat(IdleRun.parse(unverified).faults())
        .containsExactly("sluice, 2/s: its certificate does not verify: expired");
    assertThat(IdleRun.parse(uncounted).faults())
        .contains("sluice, 0/s, minutes 2 to 10: its store was not counted once");
  }

  @Test
  void doubts_refusalsAndOtherWork_named() {
    String honest = window("sluice", 2, 0, 6, 10, 10, 4);
    String troubled =
        honest
            .replace("sent=12\tissued=12\tother=0", "sent=11\tissued=10\tother=1")
            .replaceAll("busyMicros=\\d+", "busyMicros=6000000");

    assertThat(IdleRun.parse(List.of(honest)).doubts()).isEmpty();
    assertThat(IdleRun.parse(List.of(troubled)).doubts())
        .containsExactly(
            "sluice, 2/s, minutes 0 to 0.1: 1 answers without a certificate, 0 requests without an"
                + " answer",
            "sluice, 2/s, minutes 0 to 0.1: 12 requests were due, 11 were sent",
            "sluice, 2/s, minutes 0 to 0.1: other processes had 50 % of the processors");
  }

  @Test
  void run_noRecord_exit2() throws IOException {
    assertThat(run(List.of("nonsense"))).isEqualTo(2);
    assertThat(IdlePage.run(folder.resolve("nothing"), folder)).isEqualTo(2);
  }

  private int run(List<String> lines) throws IOException {
    Path record = folder.resolve("record");
    Files.write(record, lines);
    return IdlePage.run(record, folder.resolve("out"));
  }

  private String page() throws IOException {
    return Files.readString(folder.resolve("out/SUMMARY.md"));
  }

  private JsonNode json() throws IOException {
    return JsonMapper.shared().readTree(Files.readString(folder.resolve("out/results.json")));
  }
}
