package org.sluiceca.core.profile;

import java.util.Locale;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.PublicKeyAlgorithm;

/**
 * One kind of certificate: who issues it and every policy that decides its content.
 *
 * @param description one line for people, at most 200 characters
 * @param lane whose turn its requests have at the signer; not STATUS, which is the CA's own
 */
public record CertificateProfile(
    ProfileName name,
    String description,
    Use use,
    IssuerName issuer,
    Content content,
    ProfileVersion version,
    Lane lane) {

  private static final int DESCRIPTION_MAX = 200;

  /** A profile without a stated version. */
  public CertificateProfile(
      ProfileName name, String description, Use use, IssuerName issuer, Content content) {
    this(name, description, use, issuer, content, ProfileVersion.UNSTATED);
  }

  /** A profile for whose certificates clients wait. */
  public CertificateProfile(
      ProfileName name,
      String description,
      Use use,
      IssuerName issuer,
      Content content,
      ProfileVersion version) {
    this(name, description, use, issuer, content, version, Lane.INTERACTIVE);
  }

  /** Who can ask for certificates of a profile. */
  public enum Use {
    /** Requesters, over a protocol. */
    ENROLLMENT,
    /** A key ceremony on the machine itself. */
    CEREMONY
  }

  /** The policies for the parts of the certificate, in the order of the TBSCertificate. */
  public record Content(
      ValidityPolicy validity,
      SubjectPolicy subject,
      KeyPolicy key,
      SanPolicy subjectAltName,
      ExtensionPolicy extensions) {}

  public CertificateProfile {
    if (description.isBlank() || description.length() > DESCRIPTION_MAX) {
      throw new IllegalArgumentException(
          "profile " + name + ": description must have 1 to 200 characters");
    }
    if (lane == Lane.STATUS) {
      throw new IllegalArgumentException(
          "profile " + name + ": the lane status is for CRLs and OCSP responses only");
    }
    if (content.extensions().isCa() && use != Use.CEREMONY) {
      throw new IllegalArgumentException(
          "profile " + name + ": a CA's certificate is for the ceremony only");
    }
    // RFC 5280 4.1.2.6: a CA's subject must not be empty, for it becomes an issuer name.
    if (content.extensions().isCa() && !content.subject().isNeverEmpty()) {
      throw new IllegalArgumentException(
          "profile " + name + ": a CA's subject needs a required attribute");
    }
    // RFC 6960 4.2.2.2: the holder of such a certificate answers for the whole CA.
    if (content.extensions().extendedKeyUsage().contains(ExtendedKeyUsage.OCSP_SIGNING)
        && use != Use.CEREMONY) {
      throw new IllegalArgumentException(
          "profile " + name + ": ocsp_signing is for the ceremony only");
    }
    for (PublicKeyAlgorithm algorithm : content.key().algorithms()) {
      for (KeyUsage usage : content.extensions().keyUsage()) {
        if (!usage.fits(algorithm)) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "profile %s: a key of %s cannot have keyUsage %s",
                  name,
                  algorithm,
                  usage));
        }
      }
    }
  }
}
