package org.sluiceca.load.drill.client;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import org.sluiceca.load.cli.TrialException;

/**
 * A certificate that a client was given: what a drill believes, whatever a database says.
 *
 * @param key its request's Idempotency-Key
 * @param serial in hexadecimal, as the ledger writes it
 * @param tbsSha256 of the TBSCertificate, in hexadecimal
 * @param signatureSha256 of the signatureValue's octets
 * @param der in base64
 * @param at when the whole answer was there
 */
public record Granted(
    String key, String serial, String tbsSha256, String signatureSha256, String der, Instant at) {

  /** A serial number has 19 octets. */
  private static final int SERIAL_DIGITS = 38;

  /**
   * Reads an answer.
   *
   * @throws TrialException if it is no certificate
   */
  static Granted of(String key, byte[] der, Instant at) {
    try {
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(der));
      String serial = certificate.getSerialNumber().toString(16);
      return new Granted(
          key,
          "0".repeat(Math.max(0, SERIAL_DIGITS - serial.length())) + serial,
          sha256(certificate.getTBSCertificate()),
          sha256(certificate.getSignature()),
          Base64.getEncoder().encodeToString(der),
          at);
    } catch (GeneralSecurityException e) {
      throw new TrialException("what was answered under " + key + " is no certificate", e);
    }
  }

  /** Returns it as PEM (RFC 7468 5). */
  public String pem() {
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(Base64.getDecoder().decode(der))
        + "\n-----END CERTIFICATE-----\n";
  }

  private static String sha256(byte[] octets) throws GeneralSecurityException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
  }
}
