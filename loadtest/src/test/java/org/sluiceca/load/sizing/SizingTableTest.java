package org.sluiceca.load.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.sizing.given.Hsm;
import org.sluiceca.load.sizing.given.KeyKind;
import org.sluiceca.load.sizing.given.Machine;

class SizingTableTest {

  private static final Hsm HSM =
      new Hsm("hsm", Map.of(KeyKind.EC_P256, 1_000.0, KeyKind.RSA_2048, 250.0), 8, "a test");

  /** 800 us in the node, 100 us to verify P-256, 50 us RSA-2048. */
  @Test
  void issuing_coreSeconds_byBothKeys() {
    SizingTable.Issuing ec = issuing(KeyKind.EC_P256);
    SizingTable.Issuing rsa = issuing(KeyKind.RSA_2048);

    assertThat(ec.both()).isCloseTo(1_000, within(1e-9));
    assertThat(ec.times()).isEqualTo(1);
    assertThat(rsa.requested()).isCloseTo(1e6 / 950, within(1e-9));
    assertThat(rsa.signed()).isCloseTo(1e6 / 950, within(1e-9));
    assertThat(rsa.both()).isCloseTo(1e6 / 900, within(1e-9));
    assertThat(rsa.times()).isCloseTo(0.9, within(1e-9));
    assertThat(issuing(KeyKind.EC_P384).verifyMicros()).isEqualTo(700);
  }

  @Test
  void handshakes_notMeasured_noFigure() {
    SizingTable bare = SizingTable.of(machine(Machines.NOT_MEASURED), Optional.empty());

    assertThat(bare.handshakes().getFirst().full()).hasValue(500);
    assertThat(bare.handshakes().getFirst().resumed()).isEmpty();
    assertThat(bare.handshakes().getLast().full()).isEmpty();
    assertThat(bare.clients()).noneMatch(SizingTable.Client::isMeasured);
    assertThat(TableText.of(bare, Optional.empty())).contains("not measured");
  }

  @Test
  void handshakes_measured_whatRsaCosts() {
    SizingTable table =
        SizingTable.of(
            machine(
                new Machine.Handshakes(
                    Map.of(KeyKind.RSA_2048, 4_000.0),
                    OptionalDouble.of(500),
                    Map.of(KeyKind.RSA_2048, 500.0))),
            Optional.empty());

    SizingTable.Handshake rsa = table.handshakes().getLast();
    assertThat(rsa.serverKey()).isEqualTo(KeyKind.RSA_2048);
    assertThat(rsa.full()).hasValue(250);
    assertThat(rsa.resumed()).hasValue(2_000);
    assertThat(rsa.times()).hasValue(2);
    assertThat(table.clients())
        .filteredOn(SizingTable.Client::isMeasured)
        .singleElement()
        .satisfies(client -> assertThat(client.full()).isEqualTo(400));
  }

  @Test
  void signing_givenKindsAlone_timesAndCores() {
    SizingTable table = SizingTable.of(machine(Machines.NOT_MEASURED), Optional.of(HSM));

    assertThat(table.signing()).hasSize(2);
    SizingTable.Signing rsa = table.signing().getFirst();
    assertThat(rsa.key()).isEqualTo(KeyKind.RSA_2048);
    assertThat(rsa.millis()).isEqualTo(32);
    assertThat(rsa.times()).hasValue(4);
    assertThat(rsa.cores()).isCloseTo(250 * 950 / 1e6, within(1e-9));
    assertThat(table.ocspPerCore()).isEqualTo(10_000);
  }

  private static SizingTable.Issuing issuing(KeyKind kind) {
    return SizingTable.of(machine(Machines.NOT_MEASURED), Optional.empty()).issuing().stream()
        .filter(row -> row.key() == kind)
        .findFirst()
        .orElseThrow();
  }

  private static Machine machine(Machine.Handshakes handshakes) {
    Map<KeyKind, Double> verify = new EnumMap<>(KeyKind.class);
    for (KeyKind kind : KeyKind.values()) {
      verify.put(kind, 100.0);
    }
    verify.put(KeyKind.RSA_2048, 50.0);
    verify.put(KeyKind.EC_P384, 700.0);
    return new Machine(
        "a machine",
        new Machine.NodeMicros(800, 2_000, 100),
        handshakes,
        verify,
        200,
        new Machine.Memory(200, 10, 10_000),
        new Machine.Disk(2_000, 1_000, 5_000));
  }
}
