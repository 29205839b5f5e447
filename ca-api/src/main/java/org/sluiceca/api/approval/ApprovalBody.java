package org.sluiceca.api.approval;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.approval.store.ApprovalStore;
import org.sluiceca.api.approval.store.StoredApproval;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * What waits for a second person, in JSON.
 *
 * @param content the act as it was asked for, an object
 * @param sha256 over its octets, as who decides sends it back
 * @param token of the credential that was asked for, only in the answer to the request for it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ApprovalBody(
    String id,
    String action,
    String status,
    String askedBy,
    String askedAt,
    String expiresAt,
    @JsonRawValue String content,
    String sha256,
    @Nullable DecisionBody decision,
    @Nullable String detail,
    @Nullable String token) {

  /** Who decided, and when. */
  public record DecisionBody(String by, String at) {}

  static final String PATH = "/v1/approvals";

  static ApprovalBody of(StoredApproval approval) {
    return of(approval, null);
  }

  private static ApprovalBody of(StoredApproval approval, @Nullable String token) {
    return new ApprovalBody(
        approval.id().toString(),
        approval.asked().action(),
        approval.status().name().toLowerCase(Locale.ROOT),
        approval.asked().by().value(),
        approval.asked().at().toString(),
        approval.asked().expiresAt().toString(),
        approval.content(),
        approval.sha256().toString(),
        approval
            .decided()
            .map(d -> new DecisionBody(d.by().value(), d.at().toString()))
            .orElse(null),
        approval.ended().map(StoredApproval.Ended::detail).orElse(null),
        token);
  }

  /**
   * Returns the answer to a request that does not act yet.
   *
   * @param asked empty if too many wait
   * @throws ProblemException 409 if too many wait
   */
  public static ResponseEntity<Object> waiting(Optional<StoredApproval> asked) {
    return waiting(asked, null);
  }

  /** The same, with a token that works as soon as it is approved. */
  public static ResponseEntity<Object> waiting(
      Optional<StoredApproval> asked, @Nullable String token) {
    StoredApproval approval =
        asked.orElseThrow(
            () ->
                new ProblemException(
                    ProblemType.CONFLICT,
                    String.format(
                        Locale.ROOT,
                        "%d actions that you have asked for wait for approval already, or %d of all",
                        ApprovalStore.PENDING_OF_ONE_MAX,
                        ApprovalStore.PENDING_MAX)));
    return ResponseEntity.accepted()
        .location(URI.create(PATH + "/" + approval.id()))
        // Whatever the client accepts: what was asked for is never a 406.
        .contentType(MediaType.APPLICATION_JSON)
        .body(of(approval, token));
  }
}
