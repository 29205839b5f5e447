package org.sluiceca.api.revocation.bulk;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.ApprovedAct;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.bulk.BulkJob;
import tools.jackson.databind.JsonNode;

/** Starts a bulk revocation that a second person has approved. Thread-safe. */
public final class BulkRevocationAct implements ApprovedAct {

  private static final String CONFIRMATION = "confirmation";

  private final BulkRevocations revocations;

  /** Starts by {@code revocations}. */
  public BulkRevocationAct(BulkRevocations revocations) {
    this.revocations = revocations;
  }

  @Override
  public ApprovalAction action() {
    return ApprovalAction.BULK_REVOCATION;
  }

  /** Returns what is asked for: the confirmation is a digest over the other fields. */
  public static Map<String, Object> content(BulkJob job) {
    Map<String, Object> content = new TreeMap<>();
    content.put("job", job.id().toString());
    content.put("selection", job.wish().selection().toString());
    content.put("reason", job.wish().reason().label());
    job.wish().invalidityDate().ifPresent(d -> content.put("invalidityDate", d.toString()));
    content.put("asOf", job.asOf().toString());
    content.put("selected", job.selected());
    content.put(CONFIRMATION, job.confirmation());
    return content;
  }

  @Override
  public Result carryOut(UUID approval, JsonNode content, RequesterId askedBy) {
    Optional<BulkJob> job = revocations.shown(content.path(CONFIRMATION).asString(""));
    if (job.isEmpty()
        || !job.get().wish().by().equals(askedBy)
        || !job.get().id().toString().equals(content.path("job").asString(""))) {
      return Result.failed("there is no such dry run by who asked");
    }
    revocations.start(job.get());
    return Result.done("/v1/revocations/" + job.get().id());
  }
}
