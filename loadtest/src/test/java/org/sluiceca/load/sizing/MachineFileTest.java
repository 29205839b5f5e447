package org.sluiceca.load.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.sizing.given.GivenFiles;
import org.sluiceca.load.sizing.given.KeyKind;
import org.sluiceca.load.sizing.given.Machine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MachineFileTest {

  private static final Path BASE = Path.of("sizing/machine.json");

  /** Of a machine that verifies P-256 in 80 us and spends 500 us of a handshake in the engine. */
  private static final String RECORD =
      """
      fact	processors	2 of a test
      fact	at	2026-11-23
      fact	commit	abc
      fact	load average before	0.10
      verify/rsa-2048	30	native
      verify/rsa-3072	50	native
      verify/rsa-4096	90	native
      verify/ec-p256	80	native
      verify/ec-p384	400	native
      verify/ed25519	150	Java
      engine/full/ec-p256	500	engine
      engine/full/rsa-2048	1500	engine
      engine/resumed/ec-p256	200	engine
      engine/client/rsa-2048	620	engine
      engine/client/rsa-3072	640	engine
      engine/client/rsa-4096	660	engine
      engine/client/ec-p256	700	engine
      engine/client/ec-p384	1100	engine
      engine/client/ed25519	800	engine
      node/certificate	900	wrk
      node/ocsp	120	wrk
      node/handshake/full	1000	s_time
      node/handshake/resumed	450	s_time
      node/memory	210	VmRSS
      database/certificate	230	ticks
      database/octets	3300	size
      database/log	5100	log
      """;

  @TempDir private Path folder;

  @Test
  void record_allMeasured_isWhatThePlannerReads() throws IOException {
    Machine machine = machine(RECORD);

    assertThat(machine.node().certificate()).isEqualTo(900 - 2 * 80);
    assertThat(machine.certificateMicros(KeyKind.EC_P256, KeyKind.EC_P256)).isEqualTo(900);
    assertThat(machine.node().handshake()).isEqualTo(1_000);
    assertThat(machine.fullHandshakeMicros(KeyKind.RSA_2048)).hasValue(2_000);
    assertThat(machine.resumedHandshakeMicros()).isEqualTo(450);
    assertThat(machine.clientCertificateMicros(KeyKind.EC_P256, KeyKind.RSA_2048)).isEqualTo(120);
    assertThat(machine.disk().ledger() + machine.disk().index()).isCloseTo(3_300, within(1e-9));
    assertThat(machine.memory().connectionsMax())
        .isEqualTo(GivenFiles.machine(BASE).memory().connectionsMax());
    assertThat(machine.name()).contains("2 of a test").contains("abc");
  }

  @Test
  void record_howItWasMeasured_isKept() {
    JsonNode measured = json(RECORD).path("measured");

    assertThat(measured.path("load average before").asString()).isEqualTo("0.10");
    assertThat(measured.path("figures").path("node/ocsp").asString()).isEqualTo("120.0: wrk");
    assertThat(measured.path("taken").asString()).contains("connectionKb");
    assertThat(measured.path("doubts")).isEmpty();
  }

  @Test
  void resumed_noCheaper_leftOutAndSaid() throws IOException {
    String disturbed = RECORD.replace("resumed\t450", "resumed\t1001");

    assertThat(machine(disturbed).handshakes().resumed()).isEmpty();
    assertThat(json(disturbed).path("measured").path("doubts").get(0).asString())
        .contains("resumed");
  }

  @Test
  void client_costsNothing_leftOutAndSaid() throws IOException {
    String disturbed = RECORD.replace("client/rsa-2048\t620", "client/rsa-2048\t480");

    assertThat(machine(disturbed).handshakes().clientCertificate())
        .doesNotContainKey(KeyKind.RSA_2048)
        .containsKey(KeyKind.EC_P256);
    assertThat(json(disturbed).path("measured").path("doubts")).hasSize(1);
  }

  @Test
  void record_faulty_said() {
    refused(RECORD.replace("verify/ec-p384", "verify/ec-p512"), "verify/ec-p384");
    refused(RECORD.replace("node/certificate\t900", "node/certificate\t150"), "node/certificate");
    refused(RECORD.replace("node/ocsp\t120", "node/ocsp\t0"), "node/ocsp");
    refused(RECORD.replace("node/ocsp\t120", "node/ocsp\tnan"), "node/ocsp");
    refused(RECORD + "nonsense\n", "nonsense");
  }

  private static void refused(String record, String because) {
    Machine base = GivenFiles.machine(BASE);
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> MachineFile.of(record, base))
        .withMessageContaining(because);
  }

  private static JsonNode json(String record) {
    return JsonMapper.shared().readTree(MachineFile.of(record, GivenFiles.machine(BASE)));
  }

  private Machine machine(String record) throws IOException {
    Path file = folder.resolve("machine.json");
    Files.writeString(file, MachineFile.of(record, GivenFiles.machine(BASE)));
    return GivenFiles.machine(file);
  }
}
