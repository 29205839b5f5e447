package org.sluiceca.api.certificate;

import java.net.URI;
import java.util.Locale;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.stereotype.Component;

/**
 * Looks up ledger entries for those who may see them: the requester that enrolled, officers,
 * auditors and admins. For all other requesters there is no such entry.
 */
@Component
public final class EntryAccess {

  private final Ledger ledger;

  EntryAccess(Ledger ledger) {
    this.ledger = ledger;
  }

  public LedgerEntry visibleTo(Requester requester, String serial) {
    return ledger
        .find(parse(serial))
        .filter(e -> mayRead(requester, e))
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemType.NOT_FOUND,
                    "no certificate of this serial number that you may see"));
  }

  /**
   * Looks up what the requester may decide about: what it enrolled itself, and for officers all.
   *
   * @param deed what it wants to do, for the refusal
   */
  public LedgerEntry ownOrOfficers(Requester requester, String serial, String deed) {
    LedgerEntry entry = visibleTo(requester, serial);
    if (!mayDecide(requester, entry)) {
      throw new ProblemException(
          ProblemType.FORBIDDEN,
          String.format(Locale.ROOT, "only officers %s what others have enrolled", deed));
    }
    return entry;
  }

  /** Returns whether a requester may decide about an entry that it sees. */
  public static boolean mayDecide(Requester requester, LedgerEntry entry) {
    boolean isOwn =
        requester.has(Role.REQUESTER) && entry.intent().origin().requester().equals(requester.id());
    return isOwn || requester.has(Role.OFFICER);
  }

  public static URI certificateUri(SerialNumber serialNumber) {
    return URI.create("/v1/certificates/" + serialNumber.hex());
  }

  /**
   * A text that cannot be a serial number is malformed, never unknown: in the hour of a revocation
   * "unknown" would mean that nothing has to be revoked.
   */
  private static SerialNumber parse(String serial) {
    try {
      return SerialNumber.ofText(serial);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemType.MALFORMED_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  private static boolean mayRead(Requester requester, LedgerEntry entry) {
    return entry.intent().origin().requester().equals(requester.id())
        || requester.has(Role.OFFICER)
        || requester.has(Role.AUDITOR)
        || requester.has(Role.ADMIN);
  }
}
