package org.sluiceca.api.approval;

import java.util.Optional;
import java.util.UUID;
import org.sluiceca.core.request.RequesterId;
import tools.jackson.databind.JsonNode;

/** Carries out one kind of act, once for each approval, however often it is asked to. */
public interface ApprovedAct {

  /** Which kind. */
  ApprovalAction action();

  /**
   * Does what was approved, or finds that it is done. Blocks for some seconds at most.
   *
   * @param approval by which a repeat is distinguished from another act alike
   * @param content what was asked for, and nothing else
   * @param askedBy on whose behalf
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if it is not known whether it
   *     was done: asking again is safe
   */
  Result carryOut(UUID approval, JsonNode content, RequesterId askedBy);

  /** Returns the requester that gets something by it, and may therefore not approve it. */
  default Optional<RequesterId> beneficiary(JsonNode content) {
    return Optional.empty();
  }

  /**
   * How it ended, for good.
   *
   * @param detail what was done, or why it cannot be done any more
   */
  record Result(boolean isDone, String detail) {

    public static Result done(String detail) {
      return new Result(true, detail);
    }

    public static Result failed(String detail) {
      return new Result(false, detail);
    }
  }
}
