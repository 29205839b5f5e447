package org.sluiceca.core.revoke.bulk;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.StringJoiner;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.IssuerName;

/**
 * Which certificates: those for which everything holds that is given. Empty never means all.
 *
 * @param requester who enrolled them
 * @param issuedAfter recorded as issued then or later, to the microsecond, as the ledger keeps it
 * @param issuedBefore recorded as issued before
 */
public record BulkSelection(
    Optional<RequesterId> requester,
    Optional<ProfileName> profile,
    Optional<IssuerName> issuer,
    Optional<Instant> issuedAfter,
    Optional<Instant> issuedBefore) {

  public BulkSelection {
    if (requester.isEmpty() && profile.isEmpty() && issuer.isEmpty()) {
      throw new IllegalArgumentException("a selection names a requester, a profile or an issuer");
    }
    issuedAfter = issuedAfter.map(t -> t.truncatedTo(ChronoUnit.MICROS));
    issuedBefore = issuedBefore.map(t -> t.truncatedTo(ChronoUnit.MICROS));
  }

  /** Returns whether no certificate can be in it, since it ends before it begins. */
  public boolean isContradictory() {
    return issuedAfter.isPresent()
        && issuedBefore.isPresent()
        && !issuedAfter.get().isBefore(issuedBefore.get());
  }

  /** Returns it in one line, the same for equal ones and for no others. */
  @Override
  public String toString() {
    // No name has a comma or an equals sign in it.
    StringJoiner text = new StringJoiner(",");
    requester.ifPresent(r -> text.add("requester=" + r));
    profile.ifPresent(p -> text.add("profile=" + p));
    issuer.ifPresent(i -> text.add("issuer=" + i));
    issuedAfter.ifPresent(t -> text.add("issuedAfter=" + t));
    issuedBefore.ifPresent(t -> text.add("issuedBefore=" + t));
    return text.toString();
  }
}
