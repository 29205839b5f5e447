package org.sluiceca.api.validation.tls;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.validation.Sha256;
import org.sluiceca.core.registration.name.Identifier;

/** Judges the certificate with which a machine answers tls-alpn-01 (RFC 8737 3, RFC 8738 6). */
final class AlpnCertificate {

  private static final String ACME_IDENTIFIER = "1.3.6.1.5.5.7.1.31";
  private static final String SUBJECT_ALT_NAME = "2.5.29.17";

  private static final int OCTET_STRING = 0x04;
  private static final int SEQUENCE = 0x30;

  /** The tags of dNSName and iPAddress (RFC 5280 4.2.1.6). */
  private static final int DNS_NAME = 0x82;

  private static final int IP_ADDRESS = 0x87;

  /** Lengths up to this are one octet of DER. */
  private static final int SHORT_LENGTH_MAX = 127;

  private static final int LONG_LENGTH = 0x80;

  private AlpnCertificate() {}

  /** Returns what is wrong with {@code certificate}; empty if it proves the challenge. */
  static Optional<String> fault(
      X509Certificate certificate, Identifier identifier, String keyAuthorization) {
    if (!names(certificate, identifier)) {
      return Optional.of("its subjectAltName is not " + identifier.value() + " alone");
    }
    byte[] digest = Sha256.of(keyAuthorization.getBytes(StandardCharsets.US_ASCII));
    byte @Nullable [] extension = certificate.getExtensionValue(ACME_IDENTIFIER);
    if (extension == null) {
      return Optional.of("it has no extension acmeIdentifier (" + ACME_IDENTIFIER + ")");
    }
    Set<String> critical = certificate.getCriticalExtensionOIDs();
    if (critical == null || !critical.contains(ACME_IDENTIFIER)) {
      return Optional.of("its extension acmeIdentifier is not critical");
    }
    byte[] expected = tagged(OCTET_STRING, tagged(OCTET_STRING, digest));
    if (!MessageDigest.isEqual(expected, extension)) {
      return Optional.of("its acmeIdentifier is not the digest of this key authorization");
    }
    return isSelfSigned(certificate) ? Optional.empty() : Optional.of("it is not self-signed");
  }

  /** The one form in DER of one name, so that no parser's leniency counts. */
  private static boolean names(X509Certificate certificate, Identifier identifier) {
    byte @Nullable [] extension = certificate.getExtensionValue(SUBJECT_ALT_NAME);
    if (extension == null) {
      return false;
    }
    byte[] name =
        switch (identifier) {
          case Identifier.Dns(String dns) -> dns.getBytes(StandardCharsets.US_ASCII);
          case Identifier.Ip(var address) -> address.getAddress();
        };
    int tag = identifier instanceof Identifier.Dns ? DNS_NAME : IP_ADDRESS;
    byte[] expected = tagged(OCTET_STRING, tagged(SEQUENCE, tagged(tag, name)));
    int nameAt = expected.length - name.length;
    if (extension.length != expected.length
        || !Arrays.equals(extension, 0, nameAt, expected, 0, nameAt)) {
      return false;
    }
    return identifier instanceof Identifier.Dns
        ? text(extension, nameAt).equalsIgnoreCase(text(expected, nameAt))
        : Arrays.equals(extension, expected);
  }

  private static String text(byte[] octets, int from) {
    // Other octets become U+FFFD, which equals no letter of a name.
    return new String(octets, from, octets.length - from, StandardCharsets.US_ASCII);
  }

  private static byte[] tagged(int tag, byte[] content) {
    ByteArrayOutputStream der = new ByteArrayOutputStream();
    der.write(tag);
    if (content.length > 0xFF) {
      der.write(LONG_LENGTH | 2);
      der.write(content.length >> Byte.SIZE);
    } else if (content.length > SHORT_LENGTH_MAX) {
      der.write(LONG_LENGTH | 1);
    }
    der.write(content.length);
    der.writeBytes(content);
    return der.toByteArray();
  }

  private static boolean isSelfSigned(X509Certificate certificate) {
    if (!certificate.getIssuerX500Principal().equals(certificate.getSubjectX500Principal())) {
      return false;
    }
    try {
      certificate.verify(certificate.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
