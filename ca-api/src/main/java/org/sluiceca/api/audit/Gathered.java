package org.sluiceca.api.audit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.core.audit.AuditEvent;

/**
 * What has happened since the last batch, in bounded memory: equal facts are counted, and what does
 * not fit is counted as lost. Pure; its owner locks.
 */
final class Gathered {

  /**
   * Different facts of one batch: some 300 octets each. Refusals under load differ by requester and
   * cause, failed logins by address, so a flood is a few rows, and 1,024 rows are one insert.
   */
  static final int FACTS_MAX = 1_024;

  /** Some 200 octets each, 3 MB: what a fast node issues in three seconds without a database. */
  static final int CERTIFICATES_MAX = 16_384;

  /** Administrators at once. */
  static final int AWAITED_MAX = 64;

  /** What one insert writes, and who waits for it. */
  record Batch(
      Map<Fact, Long> facts, List<IssuedCertificate> certificates, List<Awaited> awaited) {}

  private Map<Fact, Long> facts = new LinkedHashMap<>();
  private List<IssuedCertificate> certificates = new ArrayList<>();
  private List<Awaited> awaited = new ArrayList<>();
  private long factsLost;
  private long certificatesLost;

  /** Returns false if the fact is lost. */
  boolean add(Fact fact) {
    if (facts.size() >= FACTS_MAX && !facts.containsKey(fact)) {
      factsLost++;
      return false;
    }
    facts.merge(fact, 1L, Long::sum);
    return true;
  }

  /** Returns false if the certificate's row is lost; the ledger has it. */
  boolean add(IssuedCertificate certificate) {
    if (certificates.size() >= CERTIFICATES_MAX) {
      certificatesLost++;
      return false;
    }
    certificates.add(certificate);
    return true;
  }

  /** Returns false, keeping nothing, if too many wait already. */
  boolean add(Awaited fact) {
    return awaited.size() < AWAITED_MAX && awaited.add(fact);
  }

  boolean isEmpty() {
    return facts.isEmpty() && certificates.isEmpty() && awaited.isEmpty() && gap().isEmpty();
  }

  /** Whether somebody waits for the next batch. */
  boolean isAwaited() {
    return !awaited.isEmpty();
  }

  /** Returns how many facts, those that somebody waits for among them, and certificates wait. */
  int size() {
    return facts.size() + certificates.size() + awaited.size();
  }

  /** Takes everything, with the number of what was lost as a fact of its own. */
  Batch take() {
    gap().ifPresent(gap -> facts.put(gap, 1L));
    Batch batch = new Batch(facts, certificates, awaited);
    facts = new LinkedHashMap<>();
    certificates = new ArrayList<>();
    awaited = new ArrayList<>();
    factsLost = 0;
    certificatesLost = 0;
    return batch;
  }

  private Optional<Fact> gap() {
    return factsLost + certificatesLost == 0
        ? Optional.empty()
        : Optional.of(
            new Fact(
                AuditKind.GAP,
                AuditEvent.NOBODY,
                Map.of("facts", factsLost, "certificates", certificatesLost)));
  }
}
