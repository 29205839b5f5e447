package org.sluiceca.load.sizing;

import java.util.EnumMap;
import java.util.Map;

/**
 * What the software costs on a kind of machine, as its benchmarks measured it ({@code
 * docs/performance}). Times are CPU microseconds of one core.
 *
 * @param name where it was measured
 * @param node of one certificate in a node, without the two verifications
 * @param verify of one verification with each kind of key
 * @param database of one certificate in PostgreSQL
 * @param memory of a node
 * @param disk of the database
 */
public record Machine(
    String name,
    NodeMicros node,
    Map<KeyKind, Double> verify,
    double database,
    Memory memory,
    Disk disk) {

  public Machine {
    verify = Map.copyOf(new EnumMap<>(verify));
    for (KeyKind kind : KeyKind.values()) {
      require(verify.getOrDefault(kind, 0.0), "verify." + kind.text());
    }
    require(database, "database");
  }

  /**
   * CPU microseconds in a node.
   *
   * @param certificate one enrollment over a kept connection, JSON in and out
   * @param handshake one full TLS handshake of the server
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
   * @param ledger for ever
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
  double certificateMicros(KeyKind issuerKey, KeyKind subjectKey) {
    return node.certificate() + micros(subjectKey) + micros(issuerKey);
  }

  private double micros(KeyKind kind) {
    return verify.getOrDefault(kind, 0.0);
  }

  private static void require(double value, String name) {
    if (!(value > 0 && value < 1e12)) {
      throw new SizingException("machine: " + name + " is to be above 0");
    }
  }
}
