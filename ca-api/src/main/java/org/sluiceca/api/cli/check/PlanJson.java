package org.sluiceca.api.cli.check;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** A check's result as one JSON object. */
final class PlanJson {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private PlanJson() {}

  static String of(CheckResult result) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("issuable", result instanceof CheckResult.Planned);
    body.put("profile", result.profile().name().value());
    body.put("profileVersion", result.profile().version().number());
    body.put("profileDigest", result.profile().version().digest().toString());
    body.put("lane", PlanText.lane(result.profile()));
    body.put("issuer", NameText.of(result.issuer().issuer().subject()));
    body.put("standIn", result.issuer().isStandIn());
    switch (result) {
      case CheckResult.Refused refused -> {
        body.put("step", refused.step());
        body.put("stepName", CheckResult.stepName(refused.step()));
        body.put("reason", refused.rejection().reason().name());
        body.put("detail", refused.rejection().detail());
      }
      case CheckResult.Planned planned -> {
        PlanView view = PlanView.of(planned);
        body.put("subject", view.subject());
        body.put("subjectAltNames", view.subjectAltNames());
        body.put("notBefore", view.notBefore().toString());
        body.put("notAfter", view.notAfter().toString());
        view.clampedFrom().ifPresent(wanted -> body.put("clampedFrom", wanted.toString()));
        body.put("key", view.key());
        body.put("signatureAlgorithm", view.signatureAlgorithm());
        body.put("extensions", view.extensions());
        body.put("overridden", view.overridden());
        body.put("lints", view.lints());
      }
    }
    return JSON.writeValueAsString(body);
  }
}
