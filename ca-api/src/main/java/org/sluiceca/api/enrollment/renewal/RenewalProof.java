package org.sluiceca.api.enrollment.renewal;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.api.auth.Authenticator;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The value of the header {@code Sluice-Proof}: {@code time=1764028800, signature=:MEUC…:}, a
 * Dictionary (RFC 9651 3.2) of an Integer and a Byte Sequence. Nothing in it has been verified.
 *
 * @param time when it was signed, whole seconds since 1970-01-01T00:00:00Z
 * @param signature over {@link #message}, in the encoding that certificates use
 */
record RenewalProof(Instant time, OctetString signature) {

  /** The header's name. */
  static final String HEADER = "Sluice-Proof";

  /** The first line of what is signed: no other protocol signs an octet string that begins so. */
  static final String CONTEXT = "sluice-renewal-proof-v1";

  /** A signature of RSA-8192 has 1,368 characters of base64. */
  private static final int LENGTH_MAX = 2_048;

  /** RFC 9651 3.3.1: an Integer has at most 15 digits; 12 reach beyond the year 9999. */
  private static final Pattern TIME = Pattern.compile("time=([0-9]{1,12})");

  private static final Pattern SIGNATURE = Pattern.compile("signature=:([A-Za-z0-9+/]{2,}={0,2}):");

  /**
   * Reads a header's value.
   *
   * @param lines of the header; several count as one list (RFC 9110 5.3)
   * @throws ProblemException 400 if it is anything but the two members, each once
   */
  static RenewalProof parse(List<String> lines) {
    String value = String.join(",", lines);
    if (value.length() > LENGTH_MAX) {
      throw malformed(value.length() + " characters, allowed " + LENGTH_MAX);
    }
    Instant time = null;
    OctetString signature = null;
    for (String member : value.split(",", -1)) {
      String text = member.strip();
      Matcher isTime = TIME.matcher(text);
      Matcher isSignature = SIGNATURE.matcher(text);
      if (isTime.matches() && time == null) {
        time = Instant.ofEpochSecond(Long.parseLong(isTime.group(1)));
      } else if (isSignature.matches() && signature == null) {
        signature = decoded(isSignature.group(1));
      } else {
        throw malformed("a member is unknown, given twice or has another form");
      }
    }
    if (time == null || signature == null) {
      throw malformed((time == null ? "time" : "signature") + " is missing");
    }
    return new RenewalProof(time, signature);
  }

  /**
   * Returns the octets that are signed: five lines of ASCII, each ended by a line feed (0A).
   *
   * @param serialNumber of the certificate that is renewed, as 38 lower-case hexadecimal digits
   * @param csr the new request; SHA-256 of its DER, as 64 lower-case hexadecimal digits
   */
  OctetString message(ServiceUrl service, SerialNumber serialNumber, CsrDer csr) {
    String text =
        String.join(
            "\n",
            CONTEXT,
            service.text(),
            serialNumber.hex(),
            Long.toString(time.getEpochSecond()),
            digest(csr),
            "");
    return OctetString.copyOf(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns SHA-256 of a request's DER in hexadecimal. */
  static String digest(CsrDer csr) {
    return HexFormat.of().formatHex(Authenticator.sha256(csr.encoded()).octets());
  }

  private static OctetString decoded(String base64) {
    try {
      return OctetString.copyOf(Base64.getDecoder().decode(base64));
    } catch (IllegalArgumentException e) {
      throw malformed("the signature is not base64");
    }
  }

  private static ProblemException malformed(String fault) {
    return new ProblemException(
        ProblemType.UNAUTHENTICATED,
        HEADER + " must be: time=<seconds since 1970>, signature=:<base64>: (RFC 9651); " + fault);
  }
}
