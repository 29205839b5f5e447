package org.sluiceca.api.auth.credential;

import java.util.Locale;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.IdentityHistory;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;

/**
 * Decides, where {@link ApprovalAction#CREDENTIAL_ADMIN} is held back, who may register a
 * credential. A requester id stands for one person or machine: no other may get a way to act under
 * it, least of all under one that decides about what others ask for. Pure.
 *
 * <p>Approvals compare requester ids, and the audit trail names them. A credential under another
 * administrator's id, whatever its roles, would make one person two, before or after that id
 * becomes an administrator.
 */
public final class CredentialRule {

  private CredentialRule() {}

  /** What a registration needs. */
  public sealed interface Verdict {

    /** One administrator registers it. */
    record Alone() implements Verdict {}

    /**
     * Another administrator must approve it.
     *
     * @param isTokenAllowed whether it may be a token, which the requester of the approval knows
     */
    record TwoPeople(boolean isTokenAllowed) implements Verdict {}

    /** This administrator may not even ask for it. */
    record Forbidden(String detail) implements Verdict {}

    /** The id cannot get it as things are. */
    record Contradicted(String detail) implements Verdict {}
  }

  /**
   * Judges a registration.
   *
   * @param history of the id that {@code wanted} is for, now
   * @param by who registers or asks
   */
  public static Verdict judge(NewCredential wanted, IdentityHistory history, RequesterId by) {
    boolean isPrivileged = isPrivileged(wanted);
    String id = wanted.requester().value();
    if (history.isAdmin() && !wanted.requester().equals(by)) {
      return new Verdict.Forbidden(
          String.format(
                  Locale.ROOT,
                  "%s is an administrator: only %s asks for another credential of %s, and another",
                  id,
                  id,
                  id)
              + " administrator approves it. Register a successor under an id of its own");
    }
    if (isPrivileged && !history.isPrivileged() && history.hasOrdinary()) {
      return new Verdict.Contradicted(
          String.format(
                  Locale.ROOT,
                  "%s has valid credentials that one administrator alone could register, and would"
                      + " act as",
                  id)
              + " an administrator or officer by them: revoke them first, or use a new id");
    }
    if (isPrivileged || history.wasPrivileged()) {
      return new Verdict.TwoPeople(false);
    }
    return history.isKnown() ? new Verdict.TwoPeople(true) : new Verdict.Alone();
  }

  /**
   * Returns whether this may be registered after another person approved it. A token that makes an
   * administrator or officer may not: it is known to the person that asked, who would then be two.
   */
  static boolean isApprovable(NewCredential wanted, IdentityHistory history, RequesterId by) {
    return switch (judge(wanted, history, by)) {
      case Verdict.Alone alone -> true;
      case Verdict.TwoPeople two -> two.isTokenAllowed() || wanted.kind() == Kind.CERTIFICATE;
      case Verdict.Forbidden forbidden -> false;
      case Verdict.Contradicted contradicted -> false;
    };
  }

  /**
   * Returns whether the holder of a token may replace it without a second person. It stays the same
   * person, but an administrator's or officer's new credential is always a certificate that another
   * has compared.
   *
   * @param grant of the token
   * @param history of its id
   */
  static boolean isRotatable(Grant grant, IdentityHistory history) {
    return !isPrivileged(grant) && !history.wasPrivileged();
  }

  private static boolean isPrivileged(NewCredential wanted) {
    return isPrivileged(wanted.grant());
  }

  private static boolean isPrivileged(Grant grant) {
    return grant.roles().contains(Role.ADMIN) || grant.roles().contains(Role.OFFICER);
  }
}
