package org.sluiceca.client.renew;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.sluiceca.client.key.Identity;
import org.sluiceca.client.output.Failure;

/**
 * The header {@code Sluice-Proof}: the key of the current certificate signs what is asked for
 * (docs/protocols/REST.md, "Renew without a credential"). Thread-safe.
 */
final class RenewalProof {
  static final String HEADER = "Sluice-Proof";

  private static final String CONTEXT = "sluice-renewal-proof-v1";
  private static final PSSParameterSpec PSS =
      new PSSParameterSpec(
          "SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, PSSParameterSpec.TRAILER_FIELD_BC);
  private static final int P256_BITS = 256;
  private static final int P384_BITS = 384;

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
    byte[] signature = sign(identity, message(service, identity.certificate(), time, csr));
    return String.format(
        Locale.ROOT,
        "time=%d, signature=:%s:",
        time.getEpochSecond(),
        Base64.getEncoder().encodeToString(signature));
  }

  /** Fails if the private key is not the one of the certificate. */
  static void requirePair(Identity identity) {
    sign(identity, CONTEXT.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] sign(Identity identity, byte[] message) {
    PublicKey key = identity.certificate().getPublicKey();
    try {
      Signature signer = signature(key);
      signer.initSign(identity.key());
      signer.update(message);
      byte[] signature = signer.sign();
      Signature verifier = signature(key);
      verifier.initVerify(key);
      verifier.update(message);
      if (verifier.verify(signature)) {
        return signature;
      }
    } catch (GeneralSecurityException e) {
      throw Failure.of("the private key is not the one of the certificate: " + e.getMessage());
    }
    throw Failure.of("the private key is not the one of the certificate");
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

  /** One algorithm for each kind of key. */
  private static Signature signature(PublicKey key) throws GeneralSecurityException {
    Signature signature =
        Signature.getInstance(
            switch (key) {
              case RSAKey _ -> "RSASSA-PSS";
              case ECKey curve -> ecdsa(curve.getParams().getOrder().bitLength());
              default -> "EdDSA";
            });
    if (key instanceof RSAKey) {
      signature.setParameter(PSS);
    }
    return signature;
  }

  private static String ecdsa(int bits) {
    return bits <= P256_BITS
        ? "SHA256withECDSA"
        : bits <= P384_BITS ? "SHA384withECDSA" : "SHA512withECDSA";
  }

  private static String sha256(byte[] octets) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
