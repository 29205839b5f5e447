package org.sluiceca.load.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.cli.InputException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SizingCommandTest {

  private static final Path SIZING = Path.of("sizing");

  @TempDir private Path folder;

  @Test
  void run_workedExample_isPlanned() {
    String text = printed("--hsm-rate", "ec-p256=1000,rsa-2048=200", "--hsm-engines", "8");

    assertThat(text).contains("HSMs: ").contains("Nodes: ").contains("What is full first");
    assertThat(text).doesNotContain("NaN").doesNotContain("Infinity");
  }

  @Test
  void run_json_hasTheSameNumbers() {
    JsonNode json =
        JsonMapper.shared()
            .readTree(printed("--hsm-rate", "ec-p256=1000,rsa-2048=200", "--format", "json"));

    int total = json.path("plan").path("hsm").path("total").asInt();
    assertThat(total).isPositive();
    assertThat(printed("--hsm-rate", "ec-p256=1000,rsa-2048=200"))
        .contains("HSMs: " + total + " (regions: 2, each with ");
    assertThat(json.path("demand").path("kinds").get(0).path("issuerKey").asString())
        .isEqualTo("ec-p256");
    assertThat(json.path("hsm").path("perSecond").path("rsa-2048").asDouble()).isEqualTo(200);
    assertThat(json.path("plan").path("alternatives").get(2).path("times").isNull()).isTrue();
  }

  @Test
  void hsms_givenAndTooFew_saidAndNotEnough() {
    SizingCommand.Outcome few = run("--hsm-rate", "ec-p256=1000,rsa-2048=200", "--hsms", "2");
    SizingCommand.Outcome many = run("--hsm-rate", "ec-p256=1000,rsa-2048=200", "--hsms", "9");

    assertThat(few.isEnough()).isFalse();
    assertThat(few.printed()).contains("NOT ENOUGH: 2 HSMs a region");
    assertThat(many.isEnough()).isTrue();
    assertThat(many.printed()).contains("HSMs: 18 (regions: 2, each with 9, of which 1 spare)");
  }

  /** 60,000 a region on nodes of 2 cores: with 5 s for it none waits 10, with 60 s some do. */
  @Test
  void crowd_longerThanAHandshakeMayTake_said() throws IOException {
    String quick = crowd(5);
    String slow = crowd(60);

    assertThat(quick).contains("a crowd of 60,000").doesNotContain("come again");
    assertThat(slow).contains("a crowd of 60,000").contains("cuts who is not connected after 10 s");
  }

  private String crowd(int seconds) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("crowd.json"),
            """
            {"certificates": [{"name": "a", "perDay": 1000}], "handshakesAtOnce": 60000,
             "handshakesWithinSeconds": %d}
            """
                .formatted(seconds));
    return SizingCommand.run(
            "--demand",
            "" + file,
            "--machine",
            "" + SIZING.resolve("machine.json"),
            "--hsm-rate",
            "ec-p256=1000")
        .printed();
  }

  /** A reader of the JSON of a plan that cannot be kept finds null where the wait has no end. */
  @Test
  void json_hsmCannotKeepUp_nullAndNotInfinity() {
    String text =
        printed("--hsm-rate", "ec-p256=100,rsa-2048=20", "--hsms", "2", "--format", "json");

    JsonNode queue = JsonMapper.shared().readTree(text).path("plan").path("hsm").path("queue");
    assertThat(queue.path("waitSeconds").isNull()).isTrue();
    assertThat(text).doesNotContain("Infinity").doesNotContain("NaN");
  }

  @Test
  void model_ofTheFile_itsSourceIsSaid() {
    String text =
        printed("--hsm", "azure-cloud-hsm", "--hsm-models", "" + SIZING.resolve("hsm-models.json"));

    assertThat(text).contains("published, for ideal clients: https://learn.microsoft.com/azure/");
  }

  @Test
  void table_withoutAndWithHsm_sameInJson() {
    String text = printed("--table", "yes");
    String with = printed("--table", "yes", "--hsm-rate", "ec-p256=1000,rsa-2048=250");
    JsonNode json =
        JsonMapper.shared()
            .readTree(
                printed(
                    "--table",
                    "yes",
                    "--hsm-rate",
                    "ec-p256=1000,rsa-2048=250",
                    "--format",
                    "json"));

    assertThat(text)
        .contains("TLS handshakes/s")
        .doesNotContain("Signatures/s")
        .contains("ed25519");
    assertThat(with).contains("Signatures/s of one HSM").contains("x 4.00");
    assertThat(json.path("table").path("signing").get(0).path("times").asDouble()).isEqualTo(4);
    assertThat(json.path("table").path("issuing").size()).isEqualTo(6);
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
    assertRefused("{\"certificates\": {\"name\": \"a\", \"living\": 1}}", "array");
    assertRefused("{\"certificates\": [3]}", "array of objects");
    assertRefused("{\"certificates\": [{\"living\": 1}]}", "name");
    assertRefused(
        "{\"certificates\": [{\"name\": \"a\", \"living\": 1}], \"regions\": 1.5}", "whole number");
    assertRefused("[]", "object");
    assertRefused("{", "JSON");
  }

  @Test
  void options_wrong_said() {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> SizingCommand.run("--nonsense", "1"));
    assertThatExceptionOfType(InputException.class).isThrownBy(() -> run("--hsm-rate", "ec-p256"));
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> run("--hsm-rate", "ec-p256=-4"));
    assertThatExceptionOfType(InputException.class).isThrownBy(() -> run("--cores", "2"));
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> run("--hsm-rate", "ec-p256=4,ec-p256=5"))
        .withMessageContaining("two rates");
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> run("--calibration", "any", "--hsm-engines", "4"))
        .withMessageContaining("itself");
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> run("--hsm-rate", "ec-p256=4", "--hsm", "field-2009"))
        .withMessageContaining("one of them");
  }

  private void assertRefused(String demand, String because) throws IOException {
    Path file = Files.writeString(folder.resolve("demand.json"), demand);
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(
            () ->
                SizingCommand.run(
                    "--demand", "" + file, "--machine", "" + SIZING.resolve("machine.json")))
        .withMessageContaining(because);
  }

  private static String printed(String... options) {
    return run(options).printed();
  }

  private static SizingCommand.Outcome run(String... options) {
    String[] all = new String[options.length + 4];
    all[0] = "--demand";
    all[1] = SIZING.resolve("hundred-cas.json").toString();
    all[2] = "--machine";
    all[3] = SIZING.resolve("machine.json").toString();
    System.arraycopy(options, 0, all, 4, options.length);
    return SizingCommand.run(all);
  }
}
