package org.sluiceca.core.profile;

import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.IssuerName;

/**
 * One kind of certificate: who issues it and every policy that decides its content.
 *
 * @param description one line for people, at most 200 characters
 */
public record CertificateProfile(
    ProfileName name, String description, Use use, IssuerName issuer, Content content) {

  private static final int DESCRIPTION_MAX = 200;

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
    if (content.extensions().isCa() && use != Use.CEREMONY) {
      throw new IllegalArgumentException(
          "profile " + name + ": a CA's certificate is for the ceremony only");
    }
    // RFC 5280 4.1.2.6: a CA's subject must not be empty, for it becomes an issuer name.
    if (content.extensions().isCa() && content.subject().required().isEmpty()) {
      throw new IllegalArgumentException(
          "profile " + name + ": a CA's subject needs a required attribute");
    }
  }
}
