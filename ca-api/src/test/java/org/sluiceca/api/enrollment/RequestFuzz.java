package org.sluiceca.api.enrollment;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.sluiceca.api.certificate.CertificateAnswer;
import org.sluiceca.api.http.edge.Preference;
import org.sluiceca.api.http.edge.StrictJson;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.CsrDer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Any octets as what stands around a CSR: the first chooses the JSON body, the text of a CSR, or a
 * header that steers. Refused as a problem, or read. Driven by {@code deploy/local/fuzz.sh
 * RequestFuzz}.
 */
public final class RequestFuzz {

  static final char JSON = 'j';
  static final char CSR = 'c';
  static final char ACCEPT = 'a';
  static final char PREFER = 'p';
  static final char NAMES = 'n';

  private static final JsonMapper MAPPER = mapper();

  private RequestFuzz() {}

  /** Jazzer's entry. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    byte[] rest = Arrays.copyOfRange(data, 1, data.length);
    // Tomcat reads header octets as ISO 8859-1.
    String text = new String(rest, StandardCharsets.ISO_8859_1);
    try {
      switch (data[0]) {
        case JSON -> json(rest);
        case CSR -> csr(rest);
        case ACCEPT -> CertificateAnswer.negotiate(text);
        case PREFER -> prefer(text);
        case NAMES -> names(text);
        default -> {}
      }
    } catch (ProblemException | JacksonException e) {
      // What the edge answers with 400 or 406. Anything else would be a 500.
      require(e.getMessage() != null, "a refusal without a word");
    }
  }

  private static void json(byte[] body) {
    EnrollmentController.EnrollmentBody read =
        MAPPER.readValue(body, EnrollmentController.EnrollmentBody.class);
    if (read != null && read.csr() != null) {
      csr(read.csr().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void csr(byte[] body) {
    CsrDer csr = RequestedCsr.of(body);
    // Base64 and PEM only shrink.
    require(csr.encoded().length <= body.length, "more octets than came");
  }

  private static void prefer(String text) {
    long seconds = Preference.of(text).longestWait().toSeconds();
    require(seconds >= 0 && seconds <= 30, "waits " + seconds + " s");
  }

  private static void names(String text) {
    if (ProfileName.isValid(text)) {
      require(text.length() <= 40, "a profile's name of " + text.length());
    }
    if (IdempotencyKey.isValid(text)) {
      require(new IdempotencyKey(text).value().length() <= 255, "a key of " + text.length());
    }
  }

  private static void require(boolean claim, String fault) {
    if (!claim) {
      throw new AssertionError(fault);
    }
  }

  private static JsonMapper mapper() {
    JsonMapper.Builder builder = JsonMapper.builder();
    new StrictJson().strictReading().customize(builder);
    return builder.build();
  }
}
