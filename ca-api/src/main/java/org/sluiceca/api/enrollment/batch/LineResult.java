package org.sluiceca.api.enrollment.batch;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.http.problem.Problem;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.SerialNumber;
import tools.jackson.databind.util.RawValue;

/**
 * What became of a line.
 *
 * @param id the caller's, if the line could be read
 * @param line which line of the request it was, from 1
 * @param status the status code that a request of its own would have had
 * @param serial of the certificate, once it is promised
 * @param location of the certificate (201) or of its order (202)
 * @param certificate PEM, if it was issued
 * @param chain the certificates above it as an array of PEM, as in the answer to a request of its
 *     own
 * @param replayed whether an earlier request with the same key had it issued
 * @param retryAfter seconds after which asking again may help
 * @param problem why there is no certificate (RFC 9457)
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LineResult(
    @Nullable String id,
    int line,
    int status,
    @Nullable String serial,
    @Nullable String location,
    @Nullable String certificate,
    @Nullable RawValue chain,
    @Nullable Boolean replayed,
    @Nullable Long retryAfter,
    @Nullable Problem problem) {

  private static final int CREATED = 201;
  private static final int ACCEPTED = 202;

  static LineResult issued(
      @Nullable String id,
      int line,
      SerialNumber serialNumber,
      CertificateDer certificate,
      RawValue chain,
      boolean isReplayed) {
    return new LineResult(
        id,
        line,
        CREATED,
        serialNumber.hex(),
        "/v1/certificates/" + serialNumber.hex(),
        Pem.write(Pem.CERTIFICATE, certificate.encoded()),
        chain,
        isReplayed ? true : null,
        null,
        null);
  }

  static LineResult accepted(
      @Nullable String id, int line, SerialNumber serialNumber, long retryAfter) {
    return new LineResult(
        id,
        line,
        ACCEPTED,
        serialNumber.hex(),
        "/v1/orders/" + serialNumber.hex(),
        null,
        null,
        null,
        retryAfter,
        null);
  }

  /** Returns the same cause for all lines from {@code first} on, which were not begun. */
  LineResult ofTheRest(int first) {
    return new LineResult(null, first, status, null, null, null, null, null, retryAfter, problem);
  }

  static LineResult failed(@Nullable String id, int line, ProblemException problem) {
    return new LineResult(
        id,
        line,
        problem.type().status(),
        null,
        null,
        null,
        null,
        null,
        problem.retryAfter().map(Problem::retryAfterSeconds).orElse(null),
        Problem.of(problem, null));
  }
}
