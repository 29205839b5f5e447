package org.sluiceca.client.renew;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.sluiceca.client.key.Identity;

/**
 * The header {@code Sluice-Proof}: the key of the current certificate signs what is asked for
 * (docs/protocols/REST.md, "Renew without a credential"). Thread-safe.
 */
final class RenewalProof {
  static final String HEADER = "Sluice-Proof";

  private static final String CONTEXT = "sluice-renewal-proof-v1";

  private RenewalProof() {}

  /**
   * The header's value.
   *
   * @param service as it calls itself, {@code sluice.service-url}
   * @param identity the key that signs, and its certificate
   * @param time within 300 s of the service's clock
   * @param csr the new request, DER
   */
  static String of(URI service, Identity identity, Instant time, byte[] csr) {
    byte[] signature = identity.sign(message(service, identity.certificate(), time, csr));
    return String.format(
        Locale.ROOT,
        "time=%d, signature=:%s:",
        time.getEpochSecond(),
        Base64.getEncoder().encodeToString(signature));
  }

  /** The serial number as the service writes it: 38 lower-case hexadecimal digits. */
  static String serial(X509Certificate certificate) {
    return String.format(Locale.ROOT, "%038x", certificate.getSerialNumber());
  }

  private static byte[] message(
      URI service, X509Certificate certificate, Instant time, byte[] csr) {
    return String.join(
            "\n",
            CONTEXT,
            service.toString(),
            serial(certificate),
            Long.toString(time.getEpochSecond()),
            sha256(csr),
            "")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** In hexadecimal. */
  static String sha256(byte[] octets) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
