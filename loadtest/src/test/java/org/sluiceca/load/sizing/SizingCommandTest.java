package org.sluiceca.load.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SizingCommandTest {

  private static final Path SIZING = Path.of("sizing");

  @TempDir private Path folder;

  @Test
  void run_workedExample_isPlanned() {
    String text = run("--hsm-rate", "ec-p256=1000,rsa-2048=200", "--hsm-engines", "8");

    assertThat(text).contains("HSMs: ").contains("Nodes: ").contains("What is full first");
    assertThat(text).doesNotContain("NaN").doesNotContain("Infinity");
  }

  @Test
  void run_json_hasTheSameNumbers() {
    JsonNode json =
        JsonMapper.shared()
            .readTree(run("--hsm-rate", "ec-p256=1000,rsa-2048=200", "--format", "json"));

    int total = json.path("plan").path("hsm").path("total").asInt();
    assertThat(total).isPositive();
    assertThat(run("--hsm-rate", "ec-p256=1000,rsa-2048=200")).contains("HSMs: " + total + " (");
    assertThat(json.path("demand").path("kinds").get(0).path("issuerKey").asString())
        .isEqualTo("EC_P256");
  }

  @Test
  void calibration_asTheCeremonyPrintsIt_ratesOfBothGroups() {
    Hsm hsm =
        Calibration.read(
            "sluice: token issuing: 4 jobs at once, ecdsa_sha256/256 20.0 ms; apart from them"
                + " 2 jobs at once, rsa_pkcs1_sha256/4096 160.0 ms");

    assertThat(hsm.name()).isEqualTo("issuing");
    assertThat(hsm.engines()).isEqualTo(4);
    assertThat(hsm.perSecond())
        .containsEntry(KeyKind.EC_P256, 200.0)
        .containsEntry(KeyKind.RSA_4096, 12.5);
  }

  @Test
  void demand_misspelt_said() throws IOException {
    assertRefused("{\"peakfactor\": 3}", "peakfactor");
    assertRefused("{\"certificates\": []}", "kinds");
    assertRefused(
        "{\"certificates\": [{\"name\": \"a\", \"living\": 1, \"perDay\": 1}]}", "either");
    assertRefused("{\"certificates\": [{\"name\": \"a\", \"living\": \"x\"}]}", "number");
    assertRefused(
        "{\"certificates\": [{\"name\": \"a\", \"living\": 1, \"issuerKey\": \"dsa\"}]}", "dsa");
    assertRefused("[]", "object");
    assertRefused("{", "JSON");
  }

  @Test
  void options_wrong_said() {
    assertThatExceptionOfType(SizingException.class)
        .isThrownBy(() -> SizingCommand.run("--nonsense", "1"));
    assertThatExceptionOfType(SizingException.class).isThrownBy(() -> run("--hsm-rate", "ec-p256"));
    assertThatExceptionOfType(SizingException.class)
        .isThrownBy(() -> run("--hsm-rate", "ec-p256=-4"));
    assertThatExceptionOfType(SizingException.class).isThrownBy(() -> run("--cores", "2"));
  }

  private void assertRefused(String demand, String because) throws IOException {
    Path file = Files.writeString(folder.resolve("demand.json"), demand);
    assertThatExceptionOfType(SizingException.class)
        .isThrownBy(
            () ->
                SizingCommand.run(
                    "--demand", "" + file, "--machine", "" + SIZING.resolve("machine.json")))
        .withMessageContaining(because);
  }

  private static String run(String... options) {
    String[] all = new String[options.length + 4];
    all[0] = "--demand";
    all[1] = SIZING.resolve("hundred-cas.json").toString();
    all[2] = "--machine";
    all[3] = SIZING.resolve("machine.json").toString();
    System.arraycopy(options, 0, all, 4, options.length);
    return SizingCommand.run(all);
  }
}
