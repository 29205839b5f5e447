package org.sluiceca.api.enrollment.batch;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.http.input.PrivateKeyGuard;
import org.sluiceca.api.http.problem.JsonFault;
import org.sluiceca.api.http.problem.Problem;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemMapper;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.issuance.IssuanceResult;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.api.issuance.Wait;
import org.sluiceca.api.issuer.IssuerChains;
import org.sluiceca.core.admit.AdmissionDecision;
import org.sluiceca.core.admit.QueuePosition;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.Occasion;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.SerialNumber;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Brings one line of a batch through the line; whatever it holds, there is a result. */
final class LineEnrollment {

  /** After this the line's owner hears of an order instead; a claim lives 15 s. */
  private static final Duration FINISH_MAX = Duration.ofSeconds(20);

  /**
   * How long a line waits for a place before its batch learns that there is none: longer than any
   * Retry-After that load alone causes.
   */
  static final Duration PLACE_MAX = Duration.ofSeconds(70);

  /** Of an order that another node may have. */
  private static final long POLL_SECONDS = 2;

  private static final int ID_CHARACTERS_MAX = 128;

  private static final Logger LOG = LoggerFactory.getLogger(LineEnrollment.class);

  private final IssuanceService issuance;
  private final IssuerChains chains;
  private final JsonMapper json;
  private final Ticker ticker;

  LineEnrollment(IssuanceService issuance, IssuerChains chains, JsonMapper json, Ticker ticker) {
    this.issuance = issuance;
    this.chains = chains;
    this.json = json;
    this.ticker = ticker;
  }

  /**
   * Enrolls what the line asks for. Blocks until there is a result: for a place on the line, for
   * the signer, and for two commits.
   *
   * @param isOrder whether its client does not wait for the certificate, but for the promise of it
   * @param over zero when no client wants a result any more: no further place is waited for
   */
  LineResult enroll(Requester requester, BatchLines.Line line, boolean isOrder, CountDownLatch over)
      throws InterruptedException {
    @Nullable String id = null;
    try {
      LineRequest body = read(line);
      id = idOf(body);
      EnrollmentRequest request = request(requester, body);
      Wait wait = isOrder ? Wait.none() : Wait.ofNode(FINISH_MAX);
      return result(id, line.number(), request, wait, over);
    } catch (ProblemException e) {
      return LineResult.failed(id, line.number(), e);
    } catch (CaUnavailable e) {
      LOG.warn("a line of a batch: {}", e.getMessage());
      return LineResult.failed(id, line.number(), ProblemMapper.unavailable(e));
    } catch (RuntimeException e) { // One line must not end the others.
      LOG.error("line {} of a batch failed", line.number(), e);
      return LineResult.failed(
          id, line.number(), new ProblemException(ProblemType.INTERNAL, "see the log of the node"));
    }
  }

  private LineRequest read(BatchLines.Line line) {
    return switch (line) {
      case BatchLines.Line.TooLong tooLong ->
          throw new ProblemException(ProblemType.BODY_TOO_LARGE, "the line is over 64 KiB");
      case BatchLines.Line.NotUtf8 notUtf8 -> throw malformed("the line is not UTF-8");
      case BatchLines.Line.Text text -> {
        try {
          LineRequest body = json.readValue(text.text(), LineRequest.class);
          if (body == null) {
            throw malformed("the line is null");
          }
          yield body;
        } catch (JacksonException e) {
          throw malformed(
              "the line must be a JSON object of id, profile, csr and idempotencyKey: "
                  + JsonFault.of(e));
        }
      }
    };
  }

  private static @Nullable String idOf(LineRequest body) {
    String id = body.id();
    if (id != null && (id.isEmpty() || id.length() > ID_CHARACTERS_MAX)) {
      throw malformed(
          String.format(Locale.ROOT, "id must have 1 to %d characters", ID_CHARACTERS_MAX));
    }
    return id;
  }

  private static EnrollmentRequest request(Requester requester, LineRequest body) {
    if (body.profile() == null || body.csr() == null) {
      throw malformed("the line needs profile and csr, both strings");
    }
    if (!ProfileName.isValid(body.profile())) {
      throw new ProblemException(ProblemType.UNKNOWN_PROFILE, "no such profile");
    }
    String key = body.idempotencyKey();
    if (key != null && !IdempotencyKey.isValid(key)) {
      throw malformed("idempotencyKey must have 1 to 255 printable ASCII characters, no spaces");
    }
    byte[] csr = body.csr().getBytes(StandardCharsets.UTF_8);
    PrivateKeyGuard.check(csr);
    try {
      return new EnrollmentRequest(
          requester,
          new ProfileName(body.profile()),
          Pem.request(csr),
          Optional.ofNullable(key).map(IdempotencyKey::new),
          new Occasion.Batch());
    } catch (DerException e) {
      throw new ProblemException(ProblemType.MALFORMED_CSR, e.fault());
    }
  }

  private LineResult result(
      @Nullable String id, int line, EnrollmentRequest request, Wait wait, CountDownLatch over)
      throws InterruptedException {
    Deadline placeBy = Deadline.after(PLACE_MAX, ticker);
    while (true) {
      switch (issuance.issue(request, wait)) {
        case IssuanceResult.Issued issued -> {
          return issued(id, line, issued.intent(), issued.certificate(), false);
        }
        case IssuanceResult.Pending(
                SerialNumber order,
                Optional<QueuePosition> position,
                boolean _) -> {
          long askAfter =
              position
                  .map(QueuePosition::retryAfter)
                  .map(Problem::retryAfterSeconds)
                  .orElse(POLL_SECONDS);
          return LineResult.accepted(id, line, order, askAfter);
        }
        case IssuanceResult.Replayed(Intent intent, CertificateDer certificate) -> {
          return issued(id, line, intent, certificate, true);
        }
        case IssuanceResult.InProgress(SerialNumber order) -> {
          return LineResult.accepted(id, line, order, POLL_SECONDS);
        }
        case IssuanceResult.GivenUp _ -> throw givenUp();
        case IssuanceResult.Rejected rejected -> throw ProblemMapper.rejected(rejected.rejection());
        case IssuanceResult.Shed(AdmissionDecision.Shed shed) -> {
          // What waits is not read on: so the client sends no faster than the line takes.
          if (shed.cause() == AdmissionDecision.Cause.DRAINING
              || placeBy.earlierBy(shed.retryAfter()).hasPassed(ticker)
              || over.await(shed.retryAfter().toNanos(), TimeUnit.NANOSECONDS)) {
            throw ProblemMapper.shed(shed);
          }
        }
      }
    }
  }

  private LineResult issued(
      @Nullable String id,
      int line,
      Intent intent,
      CertificateDer certificate,
      boolean isReplayed) {
    return LineResult.issued(
        id,
        line,
        intent.serialNumber(),
        certificate,
        chains.of(intent.origin().issuer()).json(),
        isReplayed);
  }

  private static ProblemException givenUp() {
    return new ProblemException(ProblemType.CONFLICT, "the request was given up; ask again");
  }

  private static ProblemException malformed(String detail) {
    return new ProblemException(ProblemType.MALFORMED_REQUEST, detail);
  }
}
