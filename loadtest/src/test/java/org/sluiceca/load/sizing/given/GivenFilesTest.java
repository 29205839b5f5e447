package org.sluiceca.load.sizing.given;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.cli.InputException;

class GivenFilesTest {

  private static final Path SIZING = Path.of("sizing");

  @TempDir private Path folder;

  @Test
  void calibration_asTheCeremonyPrintsIt_ratesOfBothGroups() {
    Hsm hsm =
        HsmOptions.calibrated(
            "sluice: token issuing: 4 jobs at once, ecdsa_sha256/256 20.0 ms; apart from them"
                + " 2 jobs at once, rsa_pkcs1_sha256/4096 160.0 ms");

    assertThat(hsm.name()).isEqualTo("issuing");
    assertThat(hsm.engines()).isEqualTo(4);
    assertThat(hsm.perSecond())
        .containsEntry(KeyKind.EC_P256, 200.0)
        .containsEntry(KeyKind.RSA_4096, 12.5);
  }

  @Test
  void demand_handshakes_allRead() throws IOException {
    Demand demand =
        GivenFiles.demand(
            file(
                """
                {"certificates": [{"name": "a", "perDay": 86400, "lifetimeDays": 3}],
                 "peakFactor": 2, "handshakesPerRequest": 0.5, "handshakesPerSecond": 7,
                 "resumedHandshakes": 0.25, "clientCertificates": 1,
                 "handshakesAtOnce": 1000, "handshakesWithinSeconds": 5}
                """));

    assertThat(demand.handshakesAtPeak()).isEqualTo(2 * 0.5 + 7);
    assertThat(demand.resumedHandshakes()).isEqualTo(0.25);
    assertThat(demand.clientCertificates()).isEqualTo(1);
    assertThat(demand.handshakesAtOnce()).isEqualTo(1_000);
    assertThat(demand.handshakesWithinSeconds()).isEqualTo(5);
  }

  @Test
  void machine_misspelt_said() throws IOException {
    String text = Files.readString(SIZING.resolve("machine.json"));

    refused(text.replace("\"ocsp\"", "\"oscp\""), "oscp");
    refused(text.replace("databaseMicros", "databaseMicro"), "databaseMicro");
    refused(text.replace("\"rsa-2048\"", "\"rsa-1024\""), "rsa-1024");
    refused(text.replace("\"rsa-2048\": 35,", ""), "verify.rsa-2048");
  }

  @Test
  void machine_handshakes_byKindOfKey() throws IOException {
    String text = Files.readString(SIZING.resolve("machine.json"));
    Machine bare = GivenFiles.machine(file(text));
    Machine with =
        GivenFiles.machine(
            file(
                text.replaceFirst(
                    "\"verifyMicros\"",
                    """
                    "handshakeMicros": {"full": {"rsa-2048": 2100}, "resumed": 400,
                      "clientCertificate": {"rsa-2048": 310}}, "verifyMicros"
                    """)));

    assertThat(bare.fullHandshakeMicros(KeyKind.RSA_2048)).isEmpty();
    assertThat(with.fullHandshakeMicros(KeyKind.RSA_2048)).hasValue(2_100);
    assertThat(with.fullHandshakeMicros(KeyKind.EC_P256)).hasValue(with.node().handshake());
    assertThat(with.resumedHandshakeMicros()).isEqualTo(400);
    assertThat(with.clientCertificateMicros(KeyKind.EC_P256, KeyKind.RSA_2048)).isEqualTo(310);
  }

  @Test
  void models_shipped_eachHasItsSource() {
    Hsm hsm = model(SIZING.resolve("hsm-models.json"), "azure-cloud-hsm");

    assertThat(hsm.perSecond())
        .containsEntry(KeyKind.RSA_2048, 1_100.0)
        .containsEntry(KeyKind.EC_P256, 330.0);
    assertThat(hsm.source()).contains("https://").contains("2025-03-20");
    assertThat(model(SIZING.resolve("hsm-models.json"), "field-2009").engines()).isEqualTo(1);
  }

  @Test
  void models_withoutSource_refused() throws IOException {
    Path file = file("{\"models\": [{\"name\": \"a\", \"perSecond\": {\"ec-p256\": 5}}]}");

    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> model(file, "a"))
        .withMessageContaining("source");
  }

  @Test
  void models_unknown_theKnownAreSaid() {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> model(SIZING.resolve("hsm-models.json"), "luna"))
        .withMessageContaining("azure-cloud-hsm");
  }

  private static Hsm model(Path file, String name) {
    return GivenFiles.model(file, name, OptionalInt.empty());
  }

  private void refused(String text, String because) throws IOException {
    Path file = file(text);
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> GivenFiles.machine(file))
        .withMessageContaining(because);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "given", ".json"), text);
  }
}
