package org.sluiceca.api.acme.endpoint.administration;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.administration.EndpointBodies.ActivationBody;
import org.sluiceca.api.acme.endpoint.administration.EndpointBodies.EndpointBody;
import org.sluiceca.api.acme.endpoint.administration.EndpointBodies.StoredBody;
import org.sluiceca.api.acme.endpoint.administration.EndpointBodies.VersionBody;
import org.sluiceca.api.acme.endpoint.administration.EndpointBodies.VersionsBody;
import org.sluiceca.api.acme.endpoint.store.EndpointActivation;
import org.sluiceca.api.acme.endpoint.store.StoredEndpoint;
import org.sluiceca.api.approval.ActivationWish;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.ApprovalBody;
import org.sluiceca.api.approval.Approvals;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.Requester;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/endpoints}: admins store versions of an endpoint and say which one is served, by all
 * nodes, while they run. Roles are asked for by the routes.
 */
@RestController
final class EndpointsController {

  /** RFC 9512. */
  static final String YAML = "application/yaml";

  private static final String PATH = "/v1/endpoints";

  /**
   * A wish to activate.
   *
   * @param version a stored version
   * @param replaces the activation that the admin has seen, 0 for none; without it whichever there
   *     is
   */
  record ActivationWish(@Nullable Integer version, @Nullable Long replaces) {}

  private final EndpointAdministration endpoints;
  private final EndpointActivations activations;
  private final Approvals approvals;
  private final EndpointActivationAct act;

  EndpointsController(
      EndpointAdministration endpoints,
      EndpointActivations activations,
      Approvals approvals,
      EndpointActivationAct act) {
    this.endpoints = endpoints;
    this.activations = activations;
    this.approvals = approvals;
    this.act = act;
  }

  @GetMapping(PATH)
  List<EndpointBody> list() {
    return endpoints.all().stream().map(EndpointBody::of).toList();
  }

  @PostMapping(path = PATH, consumes = YAML)
  ResponseEntity<StoredBody> add(
      @AuthenticationPrincipal Requester admin, @RequestBody byte[] file) {
    EndpointAnswer answer = endpoints.add(file, admin.id());
    if (!(answer instanceof EndpointAnswer.Stored(AcmeEndpoint endpoint, boolean isNew))) {
      throw refused(answer);
    }
    String path = PATH + "/" + endpoint.name() + "/versions/" + endpoint.version();
    return ResponseEntity.status(isNew ? HttpStatus.CREATED : HttpStatus.OK)
        .location(URI.create(path))
        // Whatever the client accepts: what was stored is never a 406.
        .contentType(MediaType.APPLICATION_JSON)
        .body(
            new StoredBody(
                endpoint.name().value(), endpoint.version(), Digest.sha256(file).toString()));
  }

  @GetMapping(PATH + "/{name}/versions")
  VersionsBody versions(@PathVariable String name) {
    EndpointName endpoint = nameOf(name);
    List<StoredEndpoint> stored = endpoints.versions(endpoint);
    EndpointAdministration.Seen seen = endpoints.seen(endpoint);
    if (stored.isEmpty() && seen.served().isEmpty()) {
      throw unknown("unknown endpoint");
    }
    return new VersionsBody(
        activations.current(endpoint).map(ActivationBody::of).orElse(null),
        EndpointBody.of(seen),
        stored.stream().map(VersionBody::of).toList());
  }

  @GetMapping(path = PATH + "/{name}/versions/{version}", produces = YAML)
  ResponseEntity<byte[]> file(@PathVariable String name, @PathVariable String version) {
    Optional<StoredEndpoint> stored = endpoints.find(nameOf(name), versionOf(version));
    return ResponseEntity.ok()
        .contentType(MediaType.parseMediaType(YAML))
        .body(stored.orElseThrow(() -> unknown("unknown version")).content().octets());
  }

  @PutMapping(path = PATH + "/{name}/active", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<Object> activate(
      @AuthenticationPrincipal Requester admin,
      @PathVariable String name,
      @RequestBody ActivationWish wish) {
    Integer version = wish.version();
    if (version == null) {
      throw new ProblemException(ProblemType.MALFORMED_REQUEST, "version must be a number");
    }
    OptionalLong replaces =
        wish.replaces() == null ? OptionalLong.empty() : OptionalLong.of(wish.replaces());
    EndpointAnswer judged =
        activations.judge(nameOf(name), OptionalInt.of(version), replaces, admin.id());
    return isHeldBack(judged)
        ? waiting(judged, admin)
        : ResponseEntity.ok()
            .contentType(MediaType.APPLICATION_JSON)
            .body(ActivationBody.of(inForce(judged)));
  }

  @DeleteMapping(PATH + "/{name}/active")
  ResponseEntity<Object> deactivate(
      @AuthenticationPrincipal Requester admin, @PathVariable String name) {
    EndpointAnswer judged =
        activations.judge(nameOf(name), OptionalInt.empty(), OptionalLong.empty(), admin.id());
    if (isHeldBack(judged)) {
      return waiting(judged, admin);
    }
    var _ = inForce(judged);
    return ResponseEntity.noContent().build();
  }

  private boolean isHeldBack(EndpointAnswer judged) {
    return judged instanceof EndpointAnswer.Ready
        && approvals.isHeldBack(ApprovalAction.ENDPOINT_ACTIVATION);
  }

  private ResponseEntity<Object> waiting(EndpointAnswer judged, Requester admin) {
    if (!(judged instanceof EndpointAnswer.Ready(var wish))) {
      throw refused(judged);
    }
    return ApprovalBody.waiting(
        approvals.ask(ApprovalAction.ENDPOINT_ACTIVATION, act.content(wish), admin));
  }

  private EndpointActivation inForce(EndpointAnswer judged) {
    EndpointAnswer answer =
        judged instanceof EndpointAnswer.Ready(var wish) ? activations.activate(wish) : judged;
    if (answer instanceof EndpointAnswer.InForce(EndpointActivation activation)) {
      return activation;
    }
    throw refused(answer);
  }

  static ProblemException refused(EndpointAnswer answer) {
    return switch (answer) {
      case EndpointAnswer.Invalid(List<String> faults) ->
          ProblemException.faulty(ProblemType.INVALID_ENDPOINT, faults);
      case EndpointAnswer.Contradicted(String detail) ->
          new ProblemException(ProblemType.CONFLICT, detail);
      case EndpointAnswer.Unknown(String detail) -> unknown(detail);
      case EndpointAnswer.Sound sound -> throw new IllegalStateException("not asked for");
      case EndpointAnswer.Stored stored -> throw new IllegalStateException("not asked for");
      case EndpointAnswer.Ready ready -> throw new IllegalStateException("not done");
      case EndpointAnswer.InForce inForce -> throw new IllegalStateException("not asked for");
    };
  }

  private static EndpointName nameOf(String name) {
    if (!EndpointName.isValid(name)) {
      throw unknown("unknown endpoint");
    }
    return new EndpointName(name);
  }

  private static int versionOf(String version) {
    try {
      return Integer.parseInt(version);
    } catch (NumberFormatException e) {
      throw unknown("unknown version");
    }
  }

  private static ProblemException unknown(String detail) {
    return new ProblemException(ProblemType.NOT_FOUND, detail);
  }
}
