package org.sluiceca.api.cli.setup;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.audit.store.AuditKeyStore;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.ListedCredential;
import org.sluiceca.api.auth.store.CredentialStore.Position;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.cli.setup.issuer.KnownIssuers;
import org.sluiceca.api.cli.setup.store.DatabaseCheck.Account;
import org.sluiceca.api.ocsp.store.RegisteredResponder;
import org.sluiceca.api.ocsp.store.ResponderStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.ocsp.Responder;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;

/**
 * What the database has of what setup makes.
 *
 * @param hasResponder whether the issuer's newest OCSP responder is valid now
 * @param auditKey the public key of the audit trail's checkpoints
 * @param hasAdministrator whether a credential of an administrator is valid now
 */
record Present(
    KnownIssuers issuers,
    boolean hasResponder,
    Optional<OctetString> auditKey,
    boolean hasAdministrator) {

  /** A database without a schema. */
  static final Present NOTHING = new Present(KnownIssuers.NONE, false, Optional.empty(), false);

  private static final int PAGE = 1000;

  /** A hundred thousand credentials; of more, one is an administrator's. */
  private static final int PAGES_MAX = 100;

  /** Opens the database unchanged. */
  static LedgerDatabase open(Account account) {
    return new LedgerDatabase(
        new LedgerDatabase.Address(account.url(), account.user(), account.passwordFile()));
  }

  /**
   * Reads it all; blocks for a few seconds at most.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer
   */
  static Present read(LedgerDatabase database) {
    Instant now = Instant.now();
    return new Present(
        KnownIssuers.read(database, now),
        hasResponder(new ResponderStore(database).list(), now),
        new AuditKeyStore(database).find().map(AuditKeyStore.RegisteredKey::subjectPublicKeyInfo),
        hasAdministrator(new CredentialStore(database), now));
  }

  private static boolean hasResponder(List<RegisteredResponder> responders, Instant now) {
    return responders.stream()
        .filter(row -> row.issuer().equals(KnownIssuers.ISSUING))
        .findFirst()
        .filter(newest -> now.isBefore(notAfter(newest)))
        .isPresent();
  }

  private static Instant notAfter(RegisteredResponder responder) {
    try {
      return Responder.of(responder.issuer(), responder.certificate()).validity().notAfter();
    } catch (DerException e) {
      throw new IllegalStateException("the OCSP responder's certificate is bad: " + e.fault(), e);
    }
  }

  private static boolean hasAdministrator(CredentialStore credentials, Instant now) {
    Position after = Position.START;
    for (int i = 0; i < PAGES_MAX; i++) {
      List<ListedCredential> page = credentials.page(after, PAGE);
      for (ListedCredential listed : page) {
        RegisteredCredential credential = listed.credential();
        if (credential.isValidAt(now) && credential.grant().roles().contains(Role.ADMIN)) {
          return true;
        }
        after =
            new Position(credential.requester().value(), credential.createdAt(), credential.id());
      }
      if (page.size() < PAGE) {
        return false;
      }
    }
    return true;
  }

  /** Returns until when the token in a file authenticates; empty if it does not. */
  static Optional<Instant> expiry(LedgerDatabase database, Path file) {
    return SecretFile.line(file)
        .flatMap(token -> new CredentialStore(database).find(Kind.TOKEN, Tokens.hash(token)))
        .filter(credential -> credential.isValidAt(Instant.now()))
        .map(credential -> credential.grant().expiresAt());
  }
}
