package org.sluiceca.core.revoke.bulk;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.RevocationEvent;
import org.sluiceca.core.revoke.RevocationRules;
import org.sluiceca.core.revoke.RevocationRules.Decision;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Some candidates, judged as of the selection's moment. The dry run counts and the run revokes by
 * this same judgement, which no later event can change: so they cannot differ.
 *
 * @param revocable what is selected
 * @param onHold how many were on hold: they are on a CRL already, and whether they become valid
 *     again or are revoked for good is decided one by one, for the one cannot be undone
 * @param refused how many say that they have no revocation information (RFC 9608)
 */
public record BulkPage(List<Revocable> revocable, int onHold, int refused) {

  /**
   * A certificate that can be revoked.
   *
   * @param scope the CRL that it names
   */
  public record Revocable(BulkCandidate candidate, CrlScope scope, Instant notAfter) {

    SerialNumber serialNumber() {
      return candidate.serialNumber();
    }
  }

  /**
   * What to record.
   *
   * @param alreadyRevoked how many were revoked, or put on hold, since the selection's moment: they
   *     keep their reason
   */
  public record Events(List<RevocationEvent> events, int alreadyRevoked) {

    public Events {
      events = List.copyOf(events);
    }
  }

  public BulkPage {
    revocable = List.copyOf(revocable);
  }

  /** Judges candidates as of {@code asOf}: what has expired by then is left out. */
  public static BulkPage of(List<BulkCandidate> candidates, Instant asOf) {
    List<Revocable> revocable = new ArrayList<>();
    int onHold = 0;
    int refused = 0;
    for (BulkCandidate candidate : candidates) {
      Instant notAfter = notAfter(candidate);
      // RFC 5280 4.1.2.5: valid through notAfter, inclusive.
      if (notAfter.isBefore(asOf)) {
        continue;
      }
      Optional<CrlScope> scope = CrlScope.of(candidate.issuer(), candidate.tbsCertificate());
      if (scope.isEmpty()) {
        refused++;
      } else if (candidate.isOnHold()) {
        onHold++;
      } else {
        revocable.add(new Revocable(candidate, scope.get(), notAfter));
      }
    }
    return new BulkPage(revocable, onHold, refused);
  }

  private static Instant notAfter(BulkCandidate candidate) {
    try {
      return CertificateReader.validity(candidate.tbsCertificate()).notAfter();
    } catch (DerException e) {
      throw new IllegalStateException("a recorded certificate does not parse: " + e.fault(), e);
    }
  }

  /** Returns the CRLs that it concerns, in the one order in which they may be locked. */
  public SortedSet<CrlScope> scopes() {
    SortedSet<CrlScope> scopes =
        new TreeSet<>(
            Comparator.comparing((CrlScope s) -> s.issuer().value())
                .thenComparingInt(CrlScope::shard));
    revocable.forEach(r -> scopes.add(r.scope()));
    return scopes;
  }

  /**
   * Decides about each by {@link RevocationRules}.
   *
   * @param statuses of now, with the scopes locked; what is not in it was never revoked
   */
  public Events decide(BulkRevocation wish, Map<SerialNumber, RevocationStatus> statuses) {
    List<RevocationEvent> events = new ArrayList<>();
    int alreadyRevoked = 0;
    for (Revocable certificate : revocable) {
      RevocationStatus status =
          statuses.getOrDefault(certificate.serialNumber(), RevocationStatus.NEVER_REVOKED);
      switch (RevocationRules.revokeAmongMany(status, wish.reason(), wish.invalidityDate())) {
        case Decision.Append(RevocationEvent.Change change) ->
            events.add(
                new RevocationEvent(
                    certificate.serialNumber(),
                    status.events() + 1,
                    certificate.scope(),
                    wish.by(),
                    certificate.notAfter(),
                    change));
        case Decision.Stands stands -> alreadyRevoked++;
        // Never the answer about many; if it were, the certificate would stay as it is.
        case Decision.Refused refusal -> alreadyRevoked++;
      }
    }
    return new Events(events, alreadyRevoked);
  }
}
