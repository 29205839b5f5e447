package org.sluiceca.load.sizing.given;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.sluiceca.load.cli.InputException;

/**
 * What the software costs on a kind of machine, as its benchmarks measured it ({@code
 * docs/performance}). Times are CPU microseconds of one core.
 *
 * @param name where it was measured
 * @param node of one certificate in a node, without the two verifications
 * @param handshakes of TLS, where they are other than a full one with the node's own P-256 key
 * @param verify of one verification with each kind of key
 * @param database of one certificate in PostgreSQL
 * @param memory of a node
 * @param disk of the database
 */
@JsonIgnoreProperties("measured")
public record Machine(
    String name,
    @JsonProperty("nodeMicros") NodeMicros node,
    @JsonProperty("handshakeMicros") Handshakes handshakes,
    @JsonProperty("verifyMicros") Map<KeyKind, Double> verify,
    @JsonProperty("databaseMicros") double database,
    Memory memory,
    @JsonProperty("databaseBytes") Disk disk) {

  public Machine {
    verify = Map.copyOf(verify);
    for (KeyKind kind : KeyKind.values()) {
      require(verify.getOrDefault(kind, 0.0), "verify." + kind.text());
    }
    require(database, "database");
  }

  /**
   * CPU microseconds in a node.
   *
   * @param certificate one enrollment over a kept connection, JSON in and out
   * @param handshake one full TLS handshake of the server, whose key is P-256, and the connection
   * @param ocsp one kept OCSP answer
   */
  public record NodeMicros(double certificate, double handshake, double ocsp) {
    public NodeMicros {
      require(certificate, "node.certificate");
      require(handshake, "node.handshake");
      require(ocsp, "node.ocsp");
    }
  }

  /**
   * CPU microseconds of TLS handshakes. What was not measured is not there.
   *
   * @param full with another server's key than P-256, and the connection
   * @param resumed of a session, which no key of the server takes part in, and the connection
   * @param clientCertificate that one of this kind of key adds to a full handshake
   */
  public record Handshakes(
      Map<KeyKind, Double> full, OptionalDouble resumed, Map<KeyKind, Double> clientCertificate) {

    public Handshakes {
      full = Map.copyOf(full);
      clientCertificate = Map.copyOf(clientCertificate);
      full.forEach((kind, micros) -> require(micros, "handshakeMicros.full." + kind.text()));
      require(resumed.orElse(1), "handshakeMicros.resumed");
      clientCertificate.forEach(
          (kind, micros) -> require(micros, "handshakeMicros.clientCertificate." + kind.text()));
    }
  }

  /**
   * A node's resident memory.
   *
   * @param baseMb with few connections, in MB
   * @param connectionKb of one more idle TLS connection, in KB
   * @param connectionsMax of one node, by what was measured
   */
  public record Memory(double baseMb, double connectionKb, int connectionsMax) {
    public Memory {
      require(baseMb, "memory.baseMb");
      require(connectionKb, "memory.connectionKb");
      require(connectionsMax, "memory.connectionsMax");
    }
  }

  /**
   * Octets in the database of one certificate with all its rows and their indexes.
   *
   * @param ledger kept without end
   * @param index for as long as it is found by name ({@code sluice.find.keep-expired})
   * @param log written to the write-ahead log
   */
  public record Disk(double ledger, double index, double log) {
    public Disk {
      require(ledger, "disk.ledger");
      require(index, "disk.index");
      require(log, "disk.log");
    }
  }

  /** Returns the CPU microseconds of one certificate in a node: CSR and signature are verified. */
  public double certificateMicros(KeyKind issuerKey, KeyKind subjectKey) {
    return node.certificate() + micros(subjectKey) + micros(issuerKey);
  }

  /** Returns those of a full handshake with a server's key of this kind, if it was measured. */
  public OptionalDouble fullHandshakeMicros(KeyKind serverKey) {
    if (serverKey == KeyKind.EC_P256) {
      return OptionalDouble.of(node.handshake());
    }
    return find(handshakes.full(), serverKey);
  }

  /** Returns those of a resumed handshake; those of a full one if it was not measured. */
  public double resumedHandshakeMicros() {
    return handshakes.resumed().orElse(node.handshake());
  }

  /**
   * Returns what a client's certificate adds to a full handshake; if it was not measured, the two
   * verifications alone: of its own signature and of its issuer's.
   */
  public double clientCertificateMicros(KeyKind issuerKey, KeyKind clientKey) {
    return find(handshakes.clientCertificate(), clientKey)
        .orElseGet(() -> micros(clientKey) + micros(issuerKey));
  }

  private static OptionalDouble find(Map<KeyKind, Double> micros, KeyKind kind) {
    return Stream.ofNullable(micros.get(kind)).mapToDouble(Double::doubleValue).findFirst();
  }

  private double micros(KeyKind kind) {
    return verify.getOrDefault(kind, 0.0);
  }

  private static void require(double value, String name) {
    if (!(value > 0 && value < 1e12)) {
      throw new InputException("machine: " + name + " is to be above 0");
    }
  }
}
