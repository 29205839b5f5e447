package org.sluiceca.api.approval;

import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.approval.Approvals.Answer;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.x509.OctetString;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/approvals}: what waits for a second person, and what that one says. Roles are asked
 * for by the routes, and by the act.
 */
@RestController
final class ApprovalsController {

  private static final String PATH = ApprovalBody.PATH;

  /** SHA-256 in hexadecimal. */
  private static final int DIGEST_LENGTH = 64;

  /**
   * A decision.
   *
   * @param sha256 of the content that was read: another one is not decided about
   */
  record DecisionWish(@Nullable String sha256) {}

  private final Approvals approvals;

  ApprovalsController(Approvals approvals) {
    this.approvals = approvals;
  }

  @GetMapping(PATH)
  List<ApprovalBody> list() {
    return approvals.list().stream().map(ApprovalBody::of).toList();
  }

  @GetMapping(PATH + "/{id}")
  ApprovalBody get(@PathVariable String id) {
    return ApprovalBody.of(approvals.find(idOf(id)).orElseThrow(ApprovalsController::unknown));
  }

  @PostMapping(path = PATH + "/{id}/approval", consumes = MediaType.APPLICATION_JSON_VALUE)
  ApprovalBody approve(
      @AuthenticationPrincipal Requester by,
      @PathVariable String id,
      @RequestBody DecisionWish wish) {
    return standing(approvals.approve(idOf(id), digest(wish), by));
  }

  @PostMapping(path = PATH + "/{id}/refusal", consumes = MediaType.APPLICATION_JSON_VALUE)
  ApprovalBody refuse(
      @AuthenticationPrincipal Requester by,
      @PathVariable String id,
      @RequestBody DecisionWish wish) {
    return standing(approvals.refuse(idOf(id), digest(wish), by));
  }

  @DeleteMapping(PATH + "/{id}")
  ApprovalBody withdraw(@AuthenticationPrincipal Requester by, @PathVariable String id) {
    return standing(approvals.withdraw(idOf(id), by));
  }

  private static ApprovalBody standing(Answer answer) {
    return switch (answer) {
      case Answer.Standing(var approval) -> ApprovalBody.of(approval);
      case Answer.Unknown unknown -> throw unknown();
      case Answer.Forbidden(String detail) ->
          throw new ProblemException(ProblemType.FORBIDDEN, detail);
      case Answer.Contradicted(String detail) ->
          throw new ProblemException(ProblemType.CONFLICT, detail);
    };
  }

  private static OctetString digest(DecisionWish wish) {
    String sha256 = wish.sha256();
    if (sha256 == null || sha256.length() != DIGEST_LENGTH) {
      throw malformed();
    }
    try {
      return OctetString.copyOf(HexFormat.of().parseHex(sha256));
    } catch (IllegalArgumentException e) {
      throw malformed();
    }
  }

  private static ProblemException malformed() {
    return new ProblemException(
        ProblemType.MALFORMED_REQUEST, "sha256 must be the 64 hexadecimal digits that were read");
  }

  private static UUID idOf(String id) {
    try {
      return UUID.fromString(id);
    } catch (IllegalArgumentException e) {
      throw unknown();
    }
  }

  private static ProblemException unknown() {
    return new ProblemException(ProblemType.NOT_FOUND, "unknown approval");
  }
}
