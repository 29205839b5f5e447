package org.sluiceca.api.audit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.core.audit.AuditEvent;

/**
 * What has happened since the last batch, in bounded memory. Facts about denied requests, of which
 * any client can make as many as it likes, have places of their own and a share for each actor;
 * they never take the place of the others. Equal facts are counted. Pure; its owner locks.
 */
final class Gathered {

  /** Different facts about denied requests in one batch: 300 octets each, 2 KB at most. */
  static final int DENIALS_MAX = 256;

  /** Other facts that wait: what a fast node records in seconds without a database. */
  static final int FACTS_MAX = 4_096;

  /** Octets of these: a batch of a bulk revocation has 20 KB, an approval at most 64 KB. */
  static final int FACTS_OCTETS_MAX = 8 << 20;

  /** Facts of one batch: one insert. */
  static final int BATCH_MAX = 1_024;

  /** Octets of the facts of one batch. */
  static final int BATCH_OCTETS_MAX = 2 << 20;

  /** Some 300 octets each, 5 MB: what a fast node issues in three seconds without a database. */
  static final int CERTIFICATES_MAX = 16_384;

  /** Requests at once that wait for their fact to be durable. */
  static final int AWAITED_MAX = 64;

  /** Of these, requests of one actor: others find a place whatever one of them does. */
  static final int AWAITED_OF_ACTOR_MAX = AWAITED_MAX / 4;

  /** What one insert writes, and the requests that wait for it. */
  record Batch(
      Map<Fact, Long> facts, List<IssuedCertificate> certificates, List<Awaited> awaited) {}

  private final DenialShares shares = new DenialShares();
  private Map<Fact, Long> denials = new LinkedHashMap<>();
  private final Map<Fact, Long> facts = new LinkedHashMap<>();
  private List<IssuedCertificate> certificates = new ArrayList<>();
  private List<Awaited> awaited = new ArrayList<>();
  private long factOctets;
  private int reserved;
  private long factsLost;
  private long certificatesLost;

  /**
   * Returns false if the fact is lost. A fact about a denied request is never lost: without a row
   * of its own it is counted in its actor's.
   */
  boolean add(Fact fact, Instant now) {
    if (fact.kind().isDenial()) {
      addDenial(fact, now);
      return true;
    }
    if (!facts.containsKey(fact) && !hasRoom()) {
      factsLost++;
      return false;
    }
    put(fact, 1);
    return true;
  }

  private void addDenial(Fact fact, Instant now) {
    shares.renew(now);
    if (denials.containsKey(fact) || shares.admits(fact, denials.size() < DENIALS_MAX)) {
      denials.merge(fact, 1L, Long::sum);
    }
  }

  private void put(Fact fact, long count) {
    if (facts.merge(fact, count, Long::sum) == count) {
      factOctets += fact.octetsMax();
    }
  }

  private boolean hasRoom() {
    return facts.size() + reserved < FACTS_MAX && factOctets < FACTS_OCTETS_MAX;
  }

  /** Reserves the place of one fact; returns false if none is free. */
  boolean reserve() {
    if (!hasRoom()) {
      return false;
    }
    reserved++;
    return true;
  }

  /** Gives back a reserved place. */
  void release() {
    reserved--;
  }

  /** Adds a fact in a reserved place: it always fits. */
  void addReserved(Fact fact) {
    put(fact, 1);
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

  /** Returns false, keeping nothing, if too many wait already, of all or of the fact's actor. */
  boolean add(Awaited fact) {
    return awaited.size() < AWAITED_MAX
        && awaited.stream().filter(a -> a.fact().actor().equals(fact.fact().actor())).count()
            < AWAITED_OF_ACTOR_MAX
        && awaited.add(fact);
  }

  boolean isEmpty(Instant now, boolean isLast) {
    return facts.isEmpty()
        && denials.isEmpty()
        && certificates.isEmpty()
        && awaited.isEmpty()
        && gap().isEmpty()
        && !shares.isDue(now, isLast);
  }

  /** Whether a request waits for the next batch. */
  boolean isAwaited() {
    return !awaited.isEmpty();
  }

  /** Returns how many facts, those that requests wait for among them, and certificates wait. */
  int size() {
    return facts.size() + denials.size() + certificates.size() + awaited.size();
  }

  /** Returns how many denied requests had no row of their own for this reason, in all. */
  long unrecorded(DenialShares.Reason reason) {
    return shares.unrecorded(reason);
  }

  /**
   * Takes the next batch, with the number of what was lost as a fact of its own.
   *
   * @param isLast whether the counts of denied requests are due before their minute is over
   */
  Batch take(Instant now, boolean isLast) {
    Map<Fact, Long> taken = new LinkedHashMap<>();
    long octets = 0;
    Iterator<Map.Entry<Fact, Long>> oldest = facts.entrySet().iterator();
    while (oldest.hasNext() && taken.size() < BATCH_MAX && octets < BATCH_OCTETS_MAX) {
      Map.Entry<Fact, Long> next = oldest.next();
      taken.put(next.getKey(), next.getValue());
      octets += next.getKey().octetsMax();
      oldest.remove();
    }
    factOctets -= octets;
    taken.putAll(denials);
    (isLast ? shares.rest() : shares.next(now)).forEach(counted -> taken.put(counted, 1L));
    gap().ifPresent(gap -> taken.put(gap, 1L));
    Batch batch = new Batch(taken, certificates, awaited);
    denials = new LinkedHashMap<>();
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
                AuditEvent.UNKNOWN_ACTOR,
                Map.of("facts", factsLost, "certificates", certificatesLost)));
  }
}
