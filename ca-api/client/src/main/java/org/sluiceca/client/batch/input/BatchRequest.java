package org.sluiceca.client.batch.input;

import java.io.IOException;
import java.io.Serial;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * One request of a batch.
 *
 * @param id names the request, its result, and the file of its certificate
 * @param profile that it is enrolled under
 * @param der the certification request (RFC 2986)
 * @param keyDigest SHA-256 of its SubjectPublicKeyInfo, in hexadecimal
 */
@SuppressWarnings("ArrayRecordComponent") // Read by this module alone, which changes none.
public record BatchRequest(String id, String profile, byte[] der, String keyDigest) {
  /** The most octets of a line, of a file with a request, and of what the service reads. */
  static final int OCTETS_MAX = 65_536;

  private static final Pattern PROFILE = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /** Safe as a file's name on each system, as a part of an idempotency key, and in a terminal. */
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._@+=-]{0,127}(?<![.])");

  /** Names of devices on Windows, with any ending. */
  private static final Pattern DEVICE =
      Pattern.compile("(con|prn|aux|nul|com[0-9]|lpt[0-9])([.].*)?");

  private static final byte SEQUENCE = 0x30;

  /** Why something is no request, for its owner. */
  static final class BadRequestException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    BadRequestException(String message) {
      super(message);
    }
  }

  /** Whether this can be the name of a profile. */
  public static boolean isProfile(String text) {
    return PROFILE.matcher(text).matches();
  }

  static boolean isId(String text) {
    return ID.matcher(text).matches() && !DEVICE.matcher(text.toLowerCase(Locale.ROOT)).matches();
  }

  /**
   * Reads a request.
   *
   * @param content DER, PEM or base64 of DER; of PEM only the first request counts, so that a
   *     private key next to it is never sent
   */
  static BatchRequest of(String id, String profile, byte[] content) throws BadRequestException {
    if (!isId(id)) {
      throw new BadRequestException(
          "the id must be 1 to 128 letters, digits and ._@+=-, begin with a letter or digit, and be"
              + " no name of a Windows device, for it names a file: rename it");
    }
    if (!isProfile(profile)) {
      throw new BadRequestException("it has no profile: name one by --profile");
    }
    try {
      byte[] der = der(content);
      SubjectPublicKeyInfo key = new PKCS10CertificationRequest(der).getSubjectPublicKeyInfo();
      BatchRequest request = new BatchRequest(id, profile, der, sha256(key.getEncoded("DER")));
      if (request.line("").length > OCTETS_MAX) {
        throw new BadRequestException("the request is over 64 KiB");
      }
      return request;
    } catch (IOException | RuntimeException e) { // Bouncy Castle throws many kinds.
      throw new BadRequestException("it is no certificate request that can be read (PKCS#10)");
    }
  }

  /** The line of a batch, with its line feed. The key is the same in each run of {@code batch}. */
  public byte[] line(String batch) {
    return (JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("profile", profile)
                .put("csr", Base64.getEncoder().encodeToString(der))
                .put("idempotencyKey", idempotencyKey(batch))
                .toString()
            + "\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** At most 64 + 128 + 41 characters. It has no profile: a second one never makes a second. */
  private String idempotencyKey(String batch) {
    return "batch/" + batch + "/" + id + "/" + sha256(der);
  }

  /** In lower-case hexadecimal digits. */
  public static String sha256(byte[] octets) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether a text holds a request in PEM. */
  static boolean isInPem(byte[] content) {
    return text(content).contains("CERTIFICATE REQUEST-----");
  }

  private static byte[] der(byte[] content) throws IOException {
    if (content.length > 0 && content[0] == SEQUENCE) {
      return content;
    }
    if (!text(content).contains("-----BEGIN ")) {
      return Base64.getMimeDecoder().decode(content);
    }
    try (PemReader reader = new PemReader(new StringReader(text(content)))) {
      for (PemObject next = reader.readPemObject(); next != null; next = reader.readPemObject()) {
        if (next.getType().endsWith("CERTIFICATE REQUEST")) {
          return next.getContent();
        }
      }
    }
    throw new IOException("no request");
  }

  private static String text(byte[] content) {
    return new String(content, StandardCharsets.ISO_8859_1);
  }
}
