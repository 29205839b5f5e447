package org.sluiceca.api.acme.endpoint.administration;

import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.store.EndpointActivation;

/** The result of an act upon endpoints. */
public sealed interface EndpointAnswer {

  /** The version is stored, by this request or by an earlier one with the same file. */
  record Stored(AcmeEndpoint endpoint, boolean isNew) implements EndpointAnswer {}

  /** Nothing speaks against the wish now. */
  record Ready(EndpointWish wish) implements EndpointAnswer {}

  /** This activation counts, be it new or the one that was there. */
  record InForce(EndpointActivation activation) implements EndpointAnswer {}

  /** There is no such endpoint or version. */
  record Unknown(String detail) implements EndpointAnswer {}

  /** The version is no endpoint that this node may serve. */
  record Invalid(String detail) implements EndpointAnswer {}

  /** Something else is there already. */
  record Contradicted(String detail) implements EndpointAnswer {}
}
