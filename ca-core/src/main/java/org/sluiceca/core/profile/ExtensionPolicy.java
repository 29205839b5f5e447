package org.sluiceca.core.profile;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import org.sluiceca.core.x509.CertificatePolicy;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameSubtree;
import org.sluiceca.core.x509.Oids;

/**
 * The extensions that a profile puts into its certificates; requests do not decide them.
 *
 * @param keyUsage at least one bit
 * @param extendedKeyUsage empty for none
 * @param isCa whether basicConstraints says cA
 * @param pathLen only of a CA; 0 forbids further CAs below it
 * @param revocation how a relying party learns of revocation
 * @param additions what most profiles do without
 * @param ignoredRequests OIDs of extensions that a request may ask for in vain: they are dropped
 *     and reported as overridden
 */
public record ExtensionPolicy(
    Set<KeyUsage> keyUsage,
    Set<ExtendedKeyUsage> extendedKeyUsage,
    boolean isCa,
    OptionalInt pathLen,
    Revocation revocation,
    Additions additions,
    Set<String> ignoredRequests) {

  private static final String SUBJECT_ALT_NAME = "2.5.29.17";

  /** More are a mistake: a request has at most 32 extensions. */
  private static final int IGNORED_MAX = 64;

  /**
   * Extensions that most profiles do without.
   *
   * @param policies certificatePolicies, in this order
   * @param nameConstraints of a CA only
   * @param isOcspNoCheck whether an OCSP responder's own certificate need not be checked
   * @param others by OID, in this order
   */
  public record Additions(
      List<CertificatePolicy> policies,
      NameConstraints nameConstraints,
      boolean isOcspNoCheck,
      List<AddedExtension> others) {

    /** None. */
    public static final Additions NONE =
        new Additions(List.of(), NameConstraints.NONE, false, List.of());

    public Additions {
      policies = List.copyOf(policies);
      others = List.copyOf(others);
      // RFC 5280 4.2.1.4: a policy OID MUST NOT appear more than once; 4.2: nor an extension.
      if (policies.stream().map(CertificatePolicy::oid).distinct().count() < policies.size()) {
        throw new IllegalArgumentException("a certificate policy twice");
      }
      if (others.stream().map(AddedExtension::oid).distinct().count() < others.size()) {
        throw new IllegalArgumentException("an extension twice");
      }
      for (NameSubtree subtree : nameConstraints.permitted()) {
        checkEncodable(subtree);
      }
      for (NameSubtree subtree : nameConstraints.excluded()) {
        checkEncodable(subtree);
      }
    }

    /** RFC 5280 4.2.1.10 has no leading period for DNS names, and validators differ about it. */
    private static void checkEncodable(NameSubtree subtree) {
      if (subtree instanceof NameSubtree.Dns(String domain) && domain.startsWith(".")) {
        throw new IllegalArgumentException(
            "name constraint " + domain + ": write it without the leading period");
      }
    }
  }

  /** The sources of revocation information that a certificate names. */
  public enum Revocation {
    /** A CRL distribution point (RFC 5280 4.2.1.13). */
    CRL,
    /** None ever: noRevAvail (RFC 9608), for certificates that expire before a CRL would matter. */
    NEVER_AVAILABLE,
    /** Nothing said: of a trust anchor. */
    UNSTATED
  }

  public ExtensionPolicy {
    keyUsage = Set.copyOf(keyUsage);
    extendedKeyUsage = Set.copyOf(extendedKeyUsage);
    ignoredRequests = Set.copyOf(ignoredRequests);
    if (ignoredRequests.size() > IGNORED_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "ignoreRequested with %d OIDs, allowed %d",
              ignoredRequests.size(),
              IGNORED_MAX));
    }
    ignoredRequests.forEach(Oids::check);
    // A name that is asked for is certified or refused; it never disappears.
    if (ignoredRequests.contains(SUBJECT_ALT_NAME)) {
      throw new IllegalArgumentException(
          "ignoreRequested with subjectAltName (2.5.29.17): use subjectAltName.fromRequest");
    }
    if (keyUsage.isEmpty()) {
      throw new IllegalArgumentException("keyUsage without a bit (RFC 5280 4.2.1.3)");
    }
    // RFC 5280 4.2.1.3 and 4.2.1.9: keyCertSign if and only if cA.
    if (isCa != keyUsage.contains(KeyUsage.KEY_CERT_SIGN)) {
      throw new IllegalArgumentException("keyCertSign and cA contradict each other");
    }
    if (pathLen.isPresent() && (!isCa || pathLen.getAsInt() < 0)) {
      throw new IllegalArgumentException("pathLen of a certificate that is no CA, or negative");
    }
    // RFC 9608 4: noRevAvail must not be in a CA certificate.
    if (isCa && revocation == Revocation.NEVER_AVAILABLE) {
      throw new IllegalArgumentException("noRevAvail in a CA certificate");
    }
    // RFC 5280 4.2.1.3: without keyAgreement these two mean nothing.
    if (!keyUsage.contains(KeyUsage.KEY_AGREEMENT)
        && (keyUsage.contains(KeyUsage.ENCIPHER_ONLY)
            || keyUsage.contains(KeyUsage.DECIPHER_ONLY))) {
      throw new IllegalArgumentException("encipherOnly or decipherOnly without keyAgreement");
    }
    // RFC 3161 2.3: timeStamping alone, and critical.
    if (extendedKeyUsage.contains(ExtendedKeyUsage.TIME_STAMPING) && extendedKeyUsage.size() > 1) {
      throw new IllegalArgumentException(
          "time_stamping together with another purpose (RFC 3161 2.3)");
    }
    // RFC 5280 4.2.1.10: MUST be used only in a CA certificate.
    if (!isCa && !additions.nameConstraints().isEmpty()) {
      throw new IllegalArgumentException("nameConstraints of a certificate that is no CA");
    }
    // RFC 6960 4.2.2.2.1: of a responder, whose only power this must be.
    if (additions.isOcspNoCheck()
        && !extendedKeyUsage.equals(Set.of(ExtendedKeyUsage.OCSP_SIGNING))) {
      throw new IllegalArgumentException("ocspNoCheck without ocsp_signing as the only purpose");
    }
  }

  /** A policy that ignores no requested extension. */
  public ExtensionPolicy(
      Set<KeyUsage> keyUsage,
      Set<ExtendedKeyUsage> extendedKeyUsage,
      boolean isCa,
      OptionalInt pathLen,
      Revocation revocation,
      Additions additions) {
    this(keyUsage, extendedKeyUsage, isCa, pathLen, revocation, additions, Set.of());
  }

  /** A policy without additions. */
  public ExtensionPolicy(
      Set<KeyUsage> keyUsage,
      Set<ExtendedKeyUsage> extendedKeyUsage,
      boolean isCa,
      OptionalInt pathLen,
      Revocation revocation) {
    this(keyUsage, extendedKeyUsage, isCa, pathLen, revocation, Additions.NONE);
  }
}
