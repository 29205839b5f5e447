package org.sluiceca.api.acme.endpoint.administration;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.sluiceca.api.acme.endpoint.store.EndpointActivation;
import org.sluiceca.api.acme.endpoint.store.StoredEndpoint;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.ApprovedAct;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.RequesterId;
import tools.jackson.databind.JsonNode;

/** Activates an endpoint's version that a second person has approved. Thread-safe. */
public final class EndpointActivationAct implements ApprovedAct {

  private static final String ENDPOINT = "endpoint";
  private static final String VERSION = "version";
  private static final String REPLACES = "replaces";
  private static final String SHA256 = "sha256";
  private static final String FILE = "file";

  /** In place of a digest: where nodes have no file of the name, the endpoint is off then. */
  private static final String NO_FILE = "none";

  private final EndpointAdministration endpoints;

  /** Acts upon {@code endpoints}. */
  public EndpointActivationAct(EndpointAdministration endpoints) {
    this.endpoints = endpoints;
  }

  @Override
  public ApprovalAction action() {
    return ApprovalAction.ENDPOINT_ACTIVATION;
  }

  /**
   * Returns what is asked for: the file by its digest, too, so that who approves knows which one.
   * Of each node's own file it is the digest of the file here.
   */
  public Map<String, Object> content(EndpointWish wish) {
    Map<String, Object> content = new HashMap<>();
    content.put(ENDPOINT, wish.name().value());
    content.put(REPLACES, wish.replaces());
    if (wish.version().isPresent()) {
      int version = wish.version().getAsInt();
      content.put(VERSION, version);
      endpoints.find(wish.name(), version).ifPresent(e -> content.put(SHA256, sha256(e)));
    } else {
      content.put(FILE, file(wish.name()));
    }
    return content;
  }

  @Override
  public Result carryOut(UUID approval, JsonNode content, RequesterId askedBy) {
    // By another node, perhaps, whose file is another one.
    Optional<EndpointActivation> made = endpoints.approved(approval);
    if (made.isPresent()) {
      return done(made.get());
    }
    EndpointName name = new EndpointName(content.path(ENDPOINT).asString(""));
    OptionalInt version =
        content.has(VERSION) ? OptionalInt.of(content.path(VERSION).asInt()) : OptionalInt.empty();
    Optional<String> fault = fault(name, version, content);
    if (fault.isPresent()) {
      return Result.failed(fault.get());
    }
    EndpointWish wish = new EndpointWish(name, version, content.path(REPLACES).asLong(), askedBy);
    return switch (endpoints.activateApproved(wish, approval)) {
      case EndpointAnswer.InForce(var activation) -> done(activation);
      case EndpointAnswer.Unknown(String detail) -> Result.failed(detail);
      case EndpointAnswer.Invalid(var faults) -> Result.failed(String.join("; ", faults));
      case EndpointAnswer.Contradicted(String detail) -> Result.failed(detail);
      case EndpointAnswer.Ready ready -> throw new IllegalStateException("not done");
      case EndpointAnswer.Sound sound -> throw new IllegalStateException("not asked for");
      case EndpointAnswer.Stored stored -> throw new IllegalStateException("not asked for");
    };
  }

  /** Why what would be served is not what was approved. */
  private Optional<String> fault(EndpointName name, OptionalInt version, JsonNode content) {
    if (version.isPresent()) {
      String approved = content.path(SHA256).asString("");
      return endpoints
              .find(name, version.getAsInt())
              .map(EndpointActivationAct::sha256)
              .filter(approved::equals)
              .isPresent()
          ? Optional.empty()
          : Optional.of("the stored file is not the one that was approved");
    }
    String approved = content.path(FILE).asString("");
    String own = file(name);
    return own.equals(approved)
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "the file of the node that was to carry it out is %s, and %s was approved",
                own,
                approved.isEmpty() ? "no certain one" : approved));
  }

  private String file(EndpointName name) {
    return endpoints
        .file(name)
        .map(content -> Digest.sha256(content.octets()).toString())
        .orElse(NO_FILE);
  }

  private static Result done(EndpointActivation activation) {
    return Result.done("activation " + activation.number());
  }

  private static String sha256(StoredEndpoint version) {
    return Digest.sha256(version.content().octets()).toString();
  }
}
