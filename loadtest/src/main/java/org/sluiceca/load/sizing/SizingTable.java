package org.sluiceca.load.sizing;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.sluiceca.load.sizing.given.Hsm;
import org.sluiceca.load.sizing.given.KeyKind;
import org.sluiceca.load.sizing.given.Machine;

/**
 * What one core of a node does a second, and what one HSM does, by the kind of key. Of a core that
 * does nothing else and is full; plans leave it idle for two fifths of its time.
 *
 * @param issuing by kind of key
 * @param handshakes by kind of the server's key
 * @param clients by kind of the client's key
 * @param ocspPerCore kept answers a second
 * @param signing by kind of key; only those whose rate was given
 */
public record SizingTable(
    String machine,
    List<Issuing> issuing,
    List<Handshake> handshakes,
    List<Client> clients,
    double ocspPerCore,
    List<Signing> signing) {

  private static final double MICROS = 1e6;

  public SizingTable {
    issuing = List.copyOf(issuing);
    handshakes = List.copyOf(handshakes);
    clients = List.copyOf(clients);
    signing = List.copyOf(signing);
  }

  /**
   * Certificates a second of a core.
   *
   * @param verifyMicros of a core, of one verification
   * @param requested certificates about keys of this kind, signed with P-256
   * @param signed certificates about P-256 keys, signed in an HSM with this kind of key
   * @param both certificates about and signed with keys of this kind
   * @param times what the last cost a core against P-256
   */
  public record Issuing(
      KeyKind key,
      double verifyMicros,
      double requested,
      double signed,
      double both,
      double times) {}

  /**
   * TLS handshakes a second of a core, with their connections. Empty if it was not measured.
   *
   * @param full with a server's key of this kind
   * @param resumed of a session that began so
   * @param times what a full one costs against P-256
   */
  public record Handshake(
      KeyKind serverKey, OptionalDouble full, OptionalDouble resumed, OptionalDouble times) {}

  /**
   * Full TLS handshakes a second of a core with the node's own P-256 key and a client's
   * certificate.
   *
   * @param isMeasured else the handshake without it and two verifications
   */
  public record Client(KeyKind clientKey, double full, boolean isMeasured) {}

  /**
   * One HSM.
   *
   * @param perSecond signatures
   * @param millis in an engine
   * @param times what it costs against EC P-256; empty if that rate was not given
   * @param cores of nodes that keep it busy with certificates about P-256 keys
   */
  public record Signing(
      KeyKind key, double perSecond, double millis, OptionalDouble times, double cores) {}

  /** Makes the table. Pure. */
  public static SizingTable of(Machine machine, Optional<Hsm> hsm) {
    List<KeyKind> kinds = Arrays.asList(KeyKind.values());
    double ec = machine.certificateMicros(KeyKind.EC_P256, KeyKind.EC_P256);
    return new SizingTable(
        machine.name(),
        kinds.stream().map(kind -> issuing(machine, kind, ec)).toList(),
        List.of(KeyKind.EC_P256, KeyKind.RSA_2048).stream()
            .map(kind -> handshake(machine, kind))
            .toList(),
        kinds.stream().map(kind -> client(machine, kind)).toList(),
        MICROS / machine.node().ocsp(),
        hsm.stream().flatMap(it -> kinds.stream().flatMap(k -> signing(machine, it, k))).toList());
  }

  private static Issuing issuing(Machine machine, KeyKind kind, double ec) {
    double both = machine.certificateMicros(kind, kind);
    return new Issuing(
        kind,
        machine.verify().getOrDefault(kind, Double.NaN),
        MICROS / machine.certificateMicros(KeyKind.EC_P256, kind),
        MICROS / machine.certificateMicros(kind, KeyKind.EC_P256),
        MICROS / both,
        both / ec);
  }

  private static Handshake handshake(Machine machine, KeyKind kind) {
    OptionalDouble full = machine.fullHandshakeMicros(kind);
    OptionalDouble resumed = machine.handshakes().resumed();
    return new Handshake(
        kind, perSecond(full), perSecond(resumed), times(full, machine.node().handshake()));
  }

  private static Client client(Machine machine, KeyKind kind) {
    return new Client(
        kind,
        MICROS
            / (machine.node().handshake() + machine.clientCertificateMicros(KeyKind.EC_P256, kind)),
        machine.handshakes().clientCertificate().containsKey(kind));
  }

  private static Stream<Signing> signing(Machine machine, Hsm hsm, KeyKind kind) {
    Double rate = hsm.perSecond().get(kind);
    if (rate == null) {
      return Stream.empty();
    }
    Double ec = hsm.perSecond().get(KeyKind.EC_P256);
    return Stream.of(
        new Signing(
            kind,
            rate,
            1_000 * hsm.engines() / rate,
            ec == null ? OptionalDouble.empty() : OptionalDouble.of(ec / rate),
            rate * machine.certificateMicros(kind, KeyKind.EC_P256) / MICROS));
  }

  private static OptionalDouble perSecond(OptionalDouble micros) {
    return micros.isEmpty() ? micros : OptionalDouble.of(MICROS / micros.getAsDouble());
  }

  private static OptionalDouble times(OptionalDouble micros, double of) {
    return micros.isEmpty() ? micros : OptionalDouble.of(micros.getAsDouble() / of);
  }
}
