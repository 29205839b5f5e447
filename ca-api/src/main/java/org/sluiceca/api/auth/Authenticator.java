package org.sluiceca.api.auth;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.use.FirstUse;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.revocation.store.CompromisedKeyStore;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Finds the requester behind a credential. Only hashes are compared and stored: of a token its
 * SHA-256 (it has 256 random bits, so there is nothing to guess), of a client certificate that of
 * its SubjectPublicKeyInfo, never its subject. A client certificate also needs a status that is not
 * revoked. Thread-safe; blocks for two queries at most.
 */
public final class Authenticator {

  /** What a client certificate that TLS has verified is worth. */
  public sealed interface Answer {

    /** It authenticates this requester, by this credential. */
    record Known(Requester requester, RegisteredCredential credential) implements Answer {}

    /** Its key is not registered, or its registration has ended: it is no credential. */
    record Unknown() implements Answer {}

    /** Its key is registered, and this certificate may not be used. */
    record Refused(String detail) implements Answer {}
  }

  /**
   * What the database says of a credential.
   *
   * @param isNoted whether its use was noted since it was looked up, which is once in seconds: no
   *     request costs more than that for it
   */
  private record Found(
      RegisteredCredential credential, Optional<RevocationReason> revoked, AtomicBoolean isNoted) {}

  private final CredentialCache<Found> lookups;
  private final BiConsumer<UUID, Instant> uses;
  private final InstantSource clock;

  /**
   * Looks credentials up in {@code credentials}, and the status of client certificates in {@code
   * revocations}; a key that the requester of the certificate has reported as compromised ends with
   * every certificate of it.
   *
   * @param firstUse ends what a presented credential replaces, and returns it as it is then
   * @param uses receives the id of a credential that has authenticated a request, and when, once
   *     for each look-up; must not block
   */
  public Authenticator(
      CredentialStore credentials,
      RevocationStore revocations,
      CompromisedKeyStore compromised,
      FirstUse firstUse,
      BiConsumer<UUID, Instant> uses,
      InstantSource clock) {
    this(
        key -> credentials.find(key.kind(), key.sha256()).flatMap(firstUse::of),
        serialNumber ->
            compromised.isReportedByItsRequester(serialNumber)
                ? Optional.of(RevocationReason.KEY_COMPROMISE)
                : revocations.status(serialNumber).revocation().map(Revocation::reason),
        uses,
        clock);
  }

  Authenticator(
      Function<CredentialCache.Key, Optional<RegisteredCredential>> credentials,
      Function<SerialNumber, Optional<RevocationReason>> revoked,
      BiConsumer<UUID, Instant> uses,
      InstantSource clock) {
    // One look-up for both: a status is as old as the registration at most, and no stranger causes
    // the second query.
    this.lookups =
        new CredentialCache<>(
            key ->
                credentials
                    .apply(key)
                    .map(c -> new Found(c, key.presented().flatMap(revoked), new AtomicBoolean())));
    this.uses = uses;
    this.clock = clock;
  }

  /** Returns the requester with this bearer token, if it is registered and valid now. */
  public Optional<Requester> byToken(String token) {
    return find(new CredentialCache.Key(RegisteredCredential.Kind.TOKEN, Tokens.hash(token)))
        .map(f -> requester(f, Authentication.BEARER_TOKEN));
  }

  /**
   * Returns the credential of this bearer token, if it is registered and valid now, as {@link
   * #byToken} does.
   *
   * @throws ProblemException if too many unknown credentials are asked for at once
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer
   */
  public Optional<RegisteredCredential> credentialOf(String token) {
    try {
      Optional<Found> found =
          find(new CredentialCache.Key(RegisteredCredential.Kind.TOKEN, Tokens.hash(token)));
      found.ifPresent(this::noteUse);
      return found.map(Found::credential);
    } catch (CredentialCache.TooMany e) {
      throw AuthenticationFilter.tooMany();
    }
  }

  /**
   * Returns the requester with this client certificate, which the TLS layer has verified, if its
   * key is registered and valid now, and the certificate has neither expired nor been revoked.
   *
   * @throws CredentialCache.TooMany if too many unknown credentials are asked for at once
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer: a status that is not known never counts as good
   */
  Answer byCertificate(X509Certificate certificate) {
    Optional<Found> found =
        find(
            new CredentialCache.Key(
                RegisteredCredential.Kind.CERTIFICATE,
                sha256(certificate.getPublicKey().getEncoded()),
                serialNumber(certificate)));
    if (found.isEmpty()) {
      return new Answer.Unknown();
    }
    // The handshake that verified it may be long ago: connections are kept, sessions resumed.
    Instant notAfter = certificate.getNotAfter().toInstant();
    if (clock.instant().isAfter(notAfter)) {
      return new Answer.Refused(
          "the client certificate expired at "
              + notAfter
              + ": present a newer certificate of the same key, or a bearer token");
    }
    return found
        .get()
        .revoked()
        .<Answer>map(reason -> new Answer.Refused(revoked(reason)))
        .orElseGet(
            () ->
                new Answer.Known(
                    requester(found.get(), Authentication.CLIENT_CERTIFICATE),
                    found.get().credential()));
  }

  /**
   * Returns what this client certificate, which the TLS layer has verified, is worth: as {@link
   * #byCertificate} does.
   *
   * @throws ProblemException if too many unknown credentials are asked for at once
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer
   */
  public Answer answerTo(X509Certificate certificate) {
    try {
      return byCertificate(certificate);
    } catch (CredentialCache.TooMany e) {
      throw AuthenticationFilter.tooMany();
    }
  }

  /** Returns the hash under which a secret or a key is registered. */
  public static OctetString sha256(byte[] bytes) {
    try {
      return OctetString.copyOf(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private Optional<Found> find(CredentialCache.Key key) {
    return lookups.find(key).filter(f -> f.credential().isValidAt(clock.instant()));
  }

  private Requester requester(Found found, Authentication authentication) {
    noteUse(found);
    RegisteredCredential credential = found.credential();
    return new Requester(
        credential.requester(),
        authentication,
        credential.grant().roles(),
        credential.grant().profiles());
  }

  private void noteUse(Found found) {
    if (!found.isNoted().get() && found.isNoted().compareAndSet(false, true)) {
      uses.accept(found.credential().id(), clock.instant());
    }
  }

  /**
   * The serial number by which the ledger knows a certificate; empty if it cannot be of this CA's
   * issuers. Another CA below the same root that gave the same 128 random bits did so on purpose,
   * and what it issued is refused with the certificate that has them.
   */
  private static Optional<SerialNumber> serialNumber(X509Certificate certificate) {
    byte[] octets = certificate.getSerialNumber().toByteArray();
    return SerialNumber.isOfThisLayout(octets)
        ? Optional.of(SerialNumber.of(octets))
        : Optional.empty();
  }

  private static String revoked(RevocationReason reason) {
    return reason == RevocationReason.KEY_COMPROMISE
        ? "the key of the client certificate was reported as compromised (keyCompromise): have an"
            + " administrator register a new key"
        : String.format(
            Locale.ROOT,
            "the client certificate is revoked (%s): present another certificate of the same key,"
                + " or a bearer token",
            reason.label());
  }
}
