package org.sluiceca.api.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.api.auth.Authenticator.Answer;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/** What a client certificate is worth: by its key's registration and by its own status. */
class AuthenticatorTest {

  private final Revocable certificates = new Revocable(7);
  private final Map<SerialNumber, Revocation> revoked = new HashMap<>();
  private final Set<OctetString> registered = new HashSet<>();
  private final List<Instant> used = new ArrayList<>();
  private Instant now = Fixtures.NOW;

  private final Authenticator authenticator =
      new Authenticator(
          key -> registered.contains(key.sha256()) ? Optional.of(credential()) : Optional.empty(),
          serialNumber -> Optional.ofNullable(revoked.get(serialNumber)).map(Revocation::reason),
          (credential, at) -> used.add(at),
          () -> now);

  private static RegisteredCredential credential() {
    return new RegisteredCredential(
        new UUID(0, 0),
        new RequesterId("bob"),
        Kind.CERTIFICATE,
        OctetString.copyOf(new byte[32]),
        new Grant(Set.of(Role.ADMIN), Set.of(), Instant.MAX),
        Instant.EPOCH,
        Optional.empty());
  }

  private static X509Certificate presented(LedgerEntry entry) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(
                  new ByteArrayInputStream(entry.certificate().orElseThrow().encoded()));
    } catch (CertificateException e) {
      throw new AssertionError(e);
    }
  }

  private X509Certificate registeredCertificate(LedgerEntry entry) {
    X509Certificate certificate = presented(entry);
    registered.add(Authenticator.sha256(certificate.getPublicKey().getEncoded()));
    return certificate;
  }

  private void revoke(LedgerEntry entry, RevocationReason reason) {
    revoked.put(
        entry.intent().serialNumber(), new Revocation(reason, Fixtures.NOW, Optional.empty()));
  }

  @Test
  void byCertificate_keyRegistered_known() {
    Answer answer = authenticator.byCertificate(registeredCertificate(certificates.onCrl("a.crl")));

    assertThat(answer).isInstanceOf(Answer.Known.class);
  }

  @Test
  void byCertificate_keyNotRegistered_unknownWhateverItsStatus() {
    LedgerEntry entry = certificates.onCrl("a.crl");
    revoke(entry, RevocationReason.KEY_COMPROMISE);

    assertThat(authenticator.byCertificate(presented(entry))).isInstanceOf(Answer.Unknown.class);
  }

  /** Planted before: it signed in as before, for as long as its key was registered. */
  @ParameterizedTest
  @EnumSource(RevocationReason.class)
  void byCertificate_revoked_refusedAndAnotherOfTheSameKeyGoesOn(RevocationReason reason) {
    LedgerEntry entry = certificates.onCrl("a.crl");
    X509Certificate old = registeredCertificate(entry);
    X509Certificate renewed = registeredCertificate(certificates.onCrl("a.crl"));
    revoke(entry, reason);

    assertThat(authenticator.byCertificate(old))
        .isInstanceOfSatisfying(
            Answer.Refused.class, r -> assertThat(r.detail()).contains(reason.label()));
    // What else a compromise ends is the registry's to say: the key's registration itself.
    assertThat(authenticator.byCertificate(renewed)).isInstanceOf(Answer.Known.class);
  }

  @Test
  void byCertificate_revokedWhileItIsRemembered_refusedAfterSeconds() {
    LedgerEntry entry = certificates.onCrl("a.crl");
    X509Certificate certificate = registeredCertificate(entry);
    // The cache is the credentials' own, whose age CredentialCacheTest tests.
    revoke(entry, RevocationReason.SUPERSEDED);

    assertThat(authenticator.byCertificate(certificate)).isInstanceOf(Answer.Refused.class);
    assertThat(CredentialCache.BELIEVED).isLessThanOrEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void byCertificate_atItsNotAfter_lastSecondCounts() {
    X509Certificate certificate = registeredCertificate(certificates.onCrl("a.crl"));
    now = certificate.getNotAfter().toInstant();
    assertThat(authenticator.byCertificate(certificate)).isInstanceOf(Answer.Known.class);

    now = now.plusSeconds(1);

    assertThat(authenticator.byCertificate(certificate)).isInstanceOf(Answer.Refused.class);
  }

  @Test
  void byCertificate_statusNotReadable_unavailableAndNotLetIn() {
    Authenticator blind =
        new Authenticator(
            key -> Optional.of(credential()),
            serialNumber -> {
              throw new LedgerUnavailable("gone", new IllegalStateException());
            },
            (credential, at) -> used.add(at),
            () -> now);
    X509Certificate certificate = presented(certificates.onCrl("a.crl"));

    assertThatThrownBy(() -> blind.byCertificate(certificate))
        .isInstanceOf(LedgerUnavailable.class);
  }

  @Test
  void byCertificate_manyRequests_oneUseForEachLookUp() {
    X509Certificate certificate = registeredCertificate(certificates.onCrl("a.crl"));

    for (int i = 0; i < 100; i++) {
      assertThat(authenticator.byCertificate(certificate)).isInstanceOf(Answer.Known.class);
    }

    assertThat(used).containsExactly(now);
  }

  /** A use says that it worked: what was refused is in the audit trail. */
  @Test
  void byCertificate_refused_noUse() {
    LedgerEntry entry = certificates.onCrl("a.crl");
    X509Certificate certificate = registeredCertificate(entry);
    revoke(entry, RevocationReason.SUPERSEDED);

    Answer revokedOne = authenticator.byCertificate(certificate);
    X509Certificate other = registeredCertificate(certificates.onCrl("a.crl"));
    now = other.getNotAfter().toInstant().plusSeconds(1);
    Answer expiredOne = authenticator.byCertificate(other);

    assertThat(revokedOne).isInstanceOf(Answer.Refused.class);
    assertThat(expiredOne).isInstanceOf(Answer.Refused.class);
    assertThat(used).isEmpty();
  }
}
