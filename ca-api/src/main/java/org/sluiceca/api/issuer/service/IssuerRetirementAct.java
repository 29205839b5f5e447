package org.sluiceca.api.issuer.service;

import java.util.Map;
import java.util.UUID;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.ApprovedAct;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.IssuerName;
import tools.jackson.databind.JsonNode;

/** Retires an issuer that a second person has agreed to retire. Thread-safe. */
public final class IssuerRetirementAct implements ApprovedAct {

  private static final String ISSUER = "issuer";

  private final IssuerAdministration issuers;

  /** Acts upon {@code issuers}. */
  public IssuerRetirementAct(IssuerAdministration issuers) {
    this.issuers = issuers;
  }

  @Override
  public ApprovalAction action() {
    return ApprovalAction.ISSUER_RETIREMENT;
  }

  /** Returns what is asked for. */
  public static Map<String, Object> content(IssuerWish.Retire wish) {
    return Map.of(ISSUER, wish.name().value());
  }

  @Override
  public Result carryOut(UUID approval, JsonNode content, RequesterId askedBy) {
    IssuerName name = new IssuerName(content.path(ISSUER).asString(""));
    IssuerAnswer answer = issuers.judgeRetirement(name);
    if (answer instanceof IssuerAnswer.Ready(IssuerWish wish)) {
      answer = issuers.carryOut(wish, askedBy);
    }
    return switch (answer) {
      case IssuerAnswer.Standing standing -> Result.done("/v1/issuers/" + name);
      case IssuerAnswer.Unknown(String detail) -> Result.failed(detail);
      case IssuerAnswer.Invalid(String detail) -> Result.failed(detail);
      case IssuerAnswer.Contradicted(String detail) -> Result.failed(detail);
      case IssuerAnswer.Ready ready -> throw new IllegalStateException("not done");
    };
  }
}
