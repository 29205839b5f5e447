package org.sluiceca.api.cli.setup;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.api.audit.store.AuditKeyStore;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.ListedCredential;
import org.sluiceca.api.auth.store.CredentialStore.Position;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.cli.setup.store.DatabaseCheck.Account;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.ocsp.store.RegisteredResponder;
import org.sluiceca.api.ocsp.store.ResponderStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.revocation.store.PostgresCrlStore;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.ocsp.Responder;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/**
 * What the database has of what setup makes.
 *
 * @param hasResponder whether the issuer's newest OCSP responder is valid now
 * @param auditKey the public key of the audit trail's checkpoints
 * @param hasRootCrl whether the root has a CRL that is good now
 * @param hasAdministrator whether a credential of an administrator is valid now
 */
record Present(
    Optional<RegisteredIssuer> issuer,
    Optional<RegisteredIssuer> root,
    boolean hasResponder,
    Optional<OctetString> auditKey,
    boolean hasRootCrl,
    boolean hasAdministrator) {

  static final IssuerName ISSUING = new IssuerName("issuing");
  static final IssuerName ROOT = new IssuerName("root");

  /** A database without a schema. */
  static final Present NOTHING =
      new Present(Optional.empty(), Optional.empty(), false, Optional.empty(), false, false);

  /** The root's CRL, as a certificate of the issuing CA names it (RFC 5280 4.2.1.13). */
  private static final Pattern ROOT_CRL =
      Pattern.compile("(https?://[!-~]{1,300}?)/crl/root\\.crl");

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
    IssuerStore issuers = new IssuerStore(database);
    Instant now = Instant.now();
    return new Present(
        issuers.find(ISSUING),
        issuers.find(ROOT),
        hasResponder(new ResponderStore(database).list(), now),
        new AuditKeyStore(database).find().map(AuditKeyStore.RegisteredKey::subjectPublicKeyInfo),
        new PostgresCrlStore(database, false)
            .states().stream()
                .filter(state -> state.scope().issuer().equals(ROOT))
                .flatMap(state -> state.newest().stream())
                .anyMatch(newest -> now.isBefore(newest.nextUpdate())),
        hasAdministrator(new CredentialStore(database), now));
  }

  private static boolean hasResponder(List<RegisteredResponder> responders, Instant now) {
    return responders.stream()
        .filter(row -> row.issuer().equals(ISSUING))
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

  /** Returns the public URL that the issuing CA's certificate from our own root names. */
  Optional<String> publicUrl() {
    // Another root's certificates may name the same file, at another URL.
    return issuer
        .filter(_ -> root.isPresent())
        .map(row -> new String(row.certificate().encoded(), StandardCharsets.ISO_8859_1))
        .map(ROOT_CRL::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1));
  }
}
