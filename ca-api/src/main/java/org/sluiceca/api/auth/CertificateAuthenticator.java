package org.sluiceca.api.auth;

import jakarta.servlet.http.HttpServletRequest;
import java.math.BigInteger;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Who holds the key of a certificate that was issued here may renew that one certificate, as the
 * requester that enrolled it and for as long as an administrator's grant stands ({@link
 * CredentialStore#grants}). It is known by the whole certificate, never by its names. Thread-safe;
 * blocks for two queries at most.
 */
public final class CertificateAuthenticator {

  /**
   * Each may hold a connection to the database: two of them leave half to what else is looked up.
   */
  private static final int AT_ONCE = 2;

  private static final long WAIT_SECONDS = 1;

  private final Semaphore lookups = new Semaphore(AT_ONCE, true);

  private final Ledger ledger;
  private final CredentialStore credentials;
  private final InstantSource clock;

  /** Looks certificates up in {@code ledger} and requesters in {@code credentials}. */
  public CertificateAuthenticator(Ledger ledger, CredentialStore credentials, InstantSource clock) {
    this.ledger = ledger;
    this.credentials = credentials;
    this.clock = clock;
  }

  /**
   * Returns the requester as which this client may renew what it asks to renew.
   *
   * @param presented in the handshake, which has shown that the client holds its key
   * @throws CredentialCache.TooMany if too many ask at once; asking again is safe
   */
  Optional<Requester> find(HttpServletRequest request, X509Certificate presented) {
    Instant now = clock.instant();
    return RenewalRequest.serialNumber(request)
        .flatMap(CertificateAuthenticator::serialNumber)
        // First without a query: anybody may name any serial number.
        .filter(s -> new BigInteger(s.hex(), 16).equals(presented.getSerialNumber()))
        .filter(s -> now.isBefore(presented.getNotAfter().toInstant()))
        .flatMap(s -> find(s, presented));
  }

  private Optional<Requester> find(SerialNumber serialNumber, X509Certificate presented) {
    try {
      if (!lookups.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new CredentialCache.TooMany();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CredentialCache.TooMany();
    }
    try {
      return holder(serialNumber, presented);
    } finally {
      lookups.release();
    }
  }

  private Optional<Requester> holder(SerialNumber serialNumber, X509Certificate presented) {
    return ledger
        .find(serialNumber)
        .filter(entry -> isOf(entry, presented))
        .map(entry -> entry.intent().origin())
        .filter(origin -> credentials.grants(origin.requester(), origin.profile()))
        .map(
            origin ->
                new Requester(
                    origin.requester(),
                    Authentication.CLIENT_CERTIFICATE,
                    Set.of(Role.REQUESTER),
                    Set.of(origin.profile())));
  }

  private static Optional<SerialNumber> serialNumber(String text) {
    try {
      return Optional.of(SerialNumber.ofText(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static boolean isOf(LedgerEntry entry, X509Certificate presented) {
    try {
      byte[] encoded = presented.getEncoded();
      return entry.certificate().filter(c -> Arrays.equals(c.encoded(), encoded)).isPresent();
    } catch (CertificateEncodingException e) {
      return false;
    }
  }
}
