package org.sluiceca.client.batch;

import java.io.IOException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x509.Certificate;
import org.sluiceca.client.batch.input.BatchRequest;
import org.sluiceca.client.key.PemFiles;
import tools.jackson.databind.JsonNode;

/**
 * A certificate with its chain.
 *
 * @param serial in lower-case hexadecimal digits
 * @param keyDigest SHA-256 of its SubjectPublicKeyInfo, in hexadecimal
 * @param notAfter when it ends
 * @param pem the certificate, then those above it; nothing else
 */
record Issued(String serial, String keyDigest, Instant notAfter, String pem) {
  private static final int CHAIN_MAX = 16;
  private static final int TEXT_MAX = 256 << 10;

  /** What a result or an answer holds in {@code certificate} and {@code chain}. */
  static Optional<Issued> of(JsonNode result) {
    StringBuilder text = new StringBuilder(result.path("certificate").asString(""));
    for (JsonNode above : result.path("chain").values()) {
      text.append('\n').append(above.asString(""));
    }
    return of(text.toString());
  }

  /** The certificates of a text, the first of which counts; empty if there are none. */
  static Optional<Issued> of(String text) {
    if (text.length() > TEXT_MAX) {
      return Optional.empty();
    }
    try {
      List<X509Certificate> certificates = PemFiles.certificates(text, "the text");
      if (certificates.size() > CHAIN_MAX) {
        return Optional.empty();
      }
      StringBuilder pem = new StringBuilder();
      for (X509Certificate certificate : certificates) {
        pem.append(PemFiles.block("CERTIFICATE", certificate.getEncoded()));
      }
      X509Certificate first = certificates.getFirst();
      byte[] key =
          Certificate.getInstance(first.getEncoded()).getSubjectPublicKeyInfo().getEncoded("DER");
      return Optional.of(
          new Issued(
              HexFormat.of().formatHex(first.getSerialNumber().toByteArray()),
              BatchRequest.sha256(key),
              first.getNotAfter().toInstant(),
              pem.toString()));
    } catch (CertificateEncodingException
        | IOException
        | RuntimeException e) { // Failure, and what Bouncy Castle throws.
      return Optional.empty();
    }
  }
}
