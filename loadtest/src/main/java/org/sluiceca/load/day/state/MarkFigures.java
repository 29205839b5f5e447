package org.sluiceca.load.day.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The figures measured at a mark, in addition to those of the journal. A figure that could not be
 * measured is NaN.
 *
 * @param mark its index
 * @param books whether the ledger has what was answered
 * @param baseBytes of all tables and indexes when the run began
 * @param store by table and index, the largest first
 * @param latencies by kind of request
 * @param residentBytes of all nodes at the end of the load
 * @param startSeconds from the start of a node's process until it said that it was ready
 * @param indexSeconds until the index of names had all that was issued
 * @param auditSeconds that the auditor's program took; NaN if it was not run
 * @param audit its last line; empty if it was not run or found fault
 */
public record MarkFigures(
    int mark,
    long stored,
    long atMillis,
    Books books,
    long baseBytes,
    List<Relation> store,
    Map<String, Latency> latencies,
    Crl crl,
    long residentBytes,
    double startSeconds,
    double indexSeconds,
    double auditSeconds,
    String audit,
    Hsm hsm,
    double loadAverage) {

  /** Copies. */
  public MarkFigures {
    store = List.copyOf(store);
    latencies = Map.copyOf(latencies);
  }

  /** Returns the octets of all tables and indexes. */
  public long storeBytes() {
    return store.stream().mapToLong(Relation::bytes).sum();
  }

  /** A table, with what is stored aside of it, or an index; of all weeks together. */
  public record Relation(String name, boolean isIndex, long bytes) {}

  /**
   * How long requests of a kind took, in milliseconds.
   *
   * @param wrong answers that were not as they must be
   * @param firstWrong what the first of these was; empty if none was wrong
   */
  public record Latency(
      int count, double p50, double p99, double max, int wrong, String firstWrong) {}

  /**
   * The revocations of a mark.
   *
   * @param revoked in bulk at this mark, as the dry run counted
   * @param bulkSeconds from its start until the job was done
   * @param entries of the CRL afterwards
   * @param revocations in the ledger, all of which must be on it
   * @param signMillis from planning to publishing the last CRL, by the node's own word
   * @param publishedSeconds from the answer to one more revocation until another CRL was served
   */
  public record Crl(
      long revoked,
      double bulkSeconds,
      long bytes,
      long entries,
      long revocations,
      double signMillis,
      double publishedSeconds) {}

  /** What the simulated HSM says of the stretch; NaN and 0 with a token that counts nothing. */
  public record Hsm(double utilisation, long signed, int queueP99) {}

  /**
   * What was answered, and what the ledger and the index of certificates have.
   *
   * @param answered lines of batches with a certificate, each once
   * @param answeredPrint of their serial numbers
   * @param probes single requests that were answered with a certificate at this mark
   * @param intents rows of that table
   * @param outcomes rows of that table, issued or given up
   * @param issued outcomes with a certificate
   * @param serials distinct ones among them
   * @param issuedPrint of all of them
   * @param indexed certificates in the index
   * @param indexedPrint of all of them
   * @param rows of the index with a requester of the batches
   * @param rowsPrint of these
   * @param probeRows of the index with the requester of this mark's single requests
   */
  public record Books(
      long answered,
      long answeredPrint,
      long probes,
      long intents,
      long outcomes,
      long issued,
      long serials,
      long issuedPrint,
      long indexed,
      long indexedPrint,
      long rows,
      long rowsPrint,
      long probeRows) {

    /** Returns what does not agree, in words; empty if all does. */
    public List<String> faults() {
      List<String> faults = new ArrayList<>();
      if (rows < answered) {
        faults.add((answered - rows) + " certificates were answered that the index has not");
      }
      if (rows > answered) {
        faults.add((rows - answered) + " certificates more than were answered");
      }
      if (rows == answered && rowsPrint != answeredPrint) {
        faults.add("other serial numbers than were answered");
      }
      if (serials != issued) {
        faults.add((issued - serials) + " serial numbers stand in the ledger twice");
      }
      if (indexed != issued || indexedPrint != issuedPrint) {
        faults.add("ledger and index differ: " + issued + " and " + indexed + " certificates");
      }
      if (intents != outcomes) {
        faults.add((intents - outcomes) + " intents without an end");
      }
      if (probeRows != probes) {
        faults.add(probes + " single requests answered, " + probeRows + " in the index");
      }
      return faults;
    }
  }
}
