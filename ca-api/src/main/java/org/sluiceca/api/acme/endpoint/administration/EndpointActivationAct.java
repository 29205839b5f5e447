package org.sluiceca.api.acme.endpoint.administration;

import java.util.Optional;
import java.util.UUID;
import org.sluiceca.api.acme.endpoint.store.EndpointActivation;
import org.sluiceca.api.acme.endpoint.store.StoredEndpoint;
import org.sluiceca.api.approval.ActivationAct;
import org.sluiceca.api.approval.ActivationWish;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.x509.OctetString;

/** Activates an endpoint's version that a second person has approved. Thread-safe. */
public final class EndpointActivationAct extends ActivationAct<EndpointName> {

  private final EndpointAdministration endpoints;
  private final EndpointActivations activations;

  /** Activates what {@code endpoints} has stored, by {@code activations}. */
  public EndpointActivationAct(EndpointAdministration endpoints, EndpointActivations activations) {
    super(ApprovalAction.ENDPOINT_ACTIVATION, "endpoint", EndpointName::new);
    this.endpoints = endpoints;
    this.activations = activations;
  }

  @Override
  protected Optional<OctetString> stored(EndpointName name, int version) {
    return endpoints.find(name, version).map(StoredEndpoint::content);
  }

  @Override
  protected Optional<String> own(EndpointName name) {
    return endpoints.file(name).map(content -> Digest.sha256(content.octets()).toString());
  }

  @Override
  protected Optional<Long> made(UUID approval) {
    return activations.approved(approval).map(EndpointActivation::number);
  }

  @Override
  protected Result activate(ActivationWish<EndpointName> wish, UUID approval) {
    return switch (activations.activateApproved(wish, approval)) {
      case EndpointAnswer.InForce(var activation) -> done(activation.number());
      case EndpointAnswer.Unknown(String detail) -> Result.failed(detail);
      case EndpointAnswer.Invalid(var faults) -> Result.failed(String.join("; ", faults));
      case EndpointAnswer.Contradicted(String detail) -> Result.failed(detail);
      case EndpointAnswer.Ready ready -> throw new IllegalStateException("not done");
      case EndpointAnswer.Sound sound -> throw new IllegalStateException("not asked for");
      case EndpointAnswer.Stored stored -> throw new IllegalStateException("not asked for");
    };
  }
}
