package org.sluiceca.core.plan.lint;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.x509.DistinguishedName;

/**
 * What a lint sees: the certificate as parsed back from its bytes, and what it is measured by. One
 * thread's.
 */
final class PlannedCertificate {

  private final TbsCertificate tbs;
  private final RawCertificate raw;
  private final CertificateProfile profile;
  private final IssuerSide issuer;
  private final Instant now;

  // Read when the first lint asks for it, so that a lint that runs earlier reports its fault first.
  private @Nullable DistinguishedName subject;

  /**
   * Joins what the lints look at.
   *
   * @param raw the same bytes, divided by a parser that shares nothing with the code that wrote
   *     them
   * @param issuer the issuer's side of the rules
   * @param now when it is judged, which is about to be signed
   */
  PlannedCertificate(
      TbsCertificate tbs,
      RawCertificate raw,
      CertificateProfile profile,
      IssuerSide issuer,
      Instant now) {
    this.tbs = tbs;
    this.raw = raw;
    this.profile = profile;
    this.issuer = issuer;
    this.now = now;
  }

  TbsCertificate tbs() {
    return tbs;
  }

  RawCertificate raw() {
    return raw;
  }

  CertificateProfile profile() {
    return profile;
  }

  IssuerSide issuer() {
    return issuer;
  }

  Instant now() {
    return now;
  }

  /** Returns the subject, read from the certificate's bytes once for all lints. */
  DistinguishedName subject() throws DerException {
    if (subject == null) {
      subject = NameCodec.read(tbs.subject());
    }
    return subject;
  }
}
