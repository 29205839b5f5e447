package org.sluiceca.load.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchPageTest {

  @TempDir private Path folder;

  @Test
  void run_honest_pageWithRatios() throws IOException {
    assertThat(run(Records.honest())).isZero();

    assertThat(page())
        .startsWith("# Peers\n\nTwo of them.\n")
        .contains("| sluice | c | 16 | 1000 | 1000–1000 | 10 | 20 | 300 | 50 | 20 |")
        .contains("| step-ca, c | 16 | 2.00 | 2.00–2.00 | 1.00 |")
        .contains("| step-ca | c | 20064 | 20000 | 20000 | ok | fsync on |")
        .contains("| cores | 2 |")
        .doesNotContain("FAULT")
        .doesNotContain("NaN");
    assertThat(json().path("figures").get(1).path("certificatesPerSecond").asDouble())
        .isEqualTo(500);
    assertThat(json().path("rounds").size()).isEqualTo(8);
    assertThat(json().path("goals").isMissingNode()).isTrue();
  }

  @Test
  void run_dishonest_saidAndExit1() throws IOException {
    List<String> lines = new ArrayList<>(Records.honest());
    lines.removeLast();

    assertThat(run(lines)).isEqualTo(1);
    assertThat(page()).contains("- FAULT: step-ca, c: its store was counted 0 times");
    assertThat(json().path("faults").size()).isEqualTo(1);
  }

  @Test
  void run_noRecord_exit2() throws IOException {
    assertThat(run(List.of("nonsense"))).isEqualTo(2);
    assertThat(BenchPage.run(folder.resolve("nothing"), folder)).isEqualTo(2);
  }

  @Test
  void run_oneCa_goalsOfRateCostAndBatch() throws IOException {
    List<String> lines = alone();
    lines.add(Records.run(Records.OURS, "batch 2", 1, 65_000, 65_000));
    lines.add(Records.store(Records.OURS, 125_010));

    assertThat(run(lines)).isZero();

    assertThat(page())
        .contains("| ≥ 4500 certificates/s, one a request | 5000 | met |")
        .contains("| ≥ 5600 stretch: certificates/s | 5000 | MISSED |")
        .contains("| ≤ 240 µs of node CPU a certificate | 300 | MISSED |")
        .contains("| ≤ 60 µs of database CPU a certificate | 50 | met |")
        .contains("| ≤ 153600 octets allocated a certificate | 100000 | met |")
        .contains("| ≥ 6000 certificates/s in batches | 6500 | met |");
  }

  @Test
  void run_bareTokenKnown_onlyTheShareOfIt() throws IOException {
    List<String> lines = alone();
    lines.add(Records.store(Records.OURS, 60_010));
    lines.add("fact\tbare token signatures/s\t8000");

    assertThat(run(lines)).isZero();

    assertThat(page())
        .contains("| ≥ 0.6 of the bare token on all cores, 8000 signatures/s | 0.63 | met |")
        .doesNotContain("4500");
    assertThat(json().path("goals").get(0).path("met").asBoolean()).isTrue();
  }

  @Test
  void ratio_ofRounds_medianAndExtremes() {
    Ratio ratio = Ratio.of(rounds(10, 20, 40), rounds(10, 10, 10));

    assertThat(ratio.rate()).isEqualTo(2);
    assertThat(ratio.least()).isEqualTo(1);
    assertThat(ratio.most()).isEqualTo(4);
  }

  @Test
  void ratio_roundsThatDoNotMatch_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ratio.of(rounds(10, 20), rounds(10, 20, 30)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ratio.of(rounds(10, 20, 30), rounds(10, 20)));
  }

  /** One node, at 1,000 and 5,000 certificates/s. */
  private static List<String> alone() {
    List<String> lines = new ArrayList<>(Records.facts());
    lines.addAll(
        List.of(
            "fact\ttitle\tOne node",
            "fact\twhat\tAlone.",
            Records.run(Records.OURS, "16", 0, 10, 10),
            Records.run(Records.OURS, "16", 1, 10_000, 15_000),
            Records.run(Records.OURS, "64", 1, 50_000, 50_064)));
    return lines;
  }

  private static List<Run> rounds(long... issued) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < issued.length; i++) {
      lines.add(Records.run(Records.OURS, i + 1, issued[i], issued[i]));
    }
    return Measured.parse(lines).runs();
  }

  private int run(List<String> lines) throws IOException {
    Path record = folder.resolve("record");
    Files.write(record, lines);
    return BenchPage.run(record, folder.resolve("out"));
  }

  private String page() throws IOException {
    return Files.readString(folder.resolve("out/SUMMARY.md"));
  }

  private JsonNode json() throws IOException {
    return JsonMapper.shared().readTree(Files.readString(folder.resolve("out/results.json")));
  }
}
