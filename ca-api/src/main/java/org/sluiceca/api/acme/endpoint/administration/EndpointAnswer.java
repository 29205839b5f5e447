package org.sluiceca.api.acme.endpoint.administration;

import java.util.List;
import java.util.Optional;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.store.EndpointActivation;
import org.sluiceca.api.approval.ActivationWish;
import org.sluiceca.core.registration.EndpointName;

/** The result of an act upon endpoints. */
public sealed interface EndpointAnswer {

  /** The version is stored, by this request or by an earlier one with the same file. */
  record Stored(AcmeEndpoint endpoint, boolean isNew) implements EndpointAnswer {}

  /**
   * The version could be stored, and nothing was done.
   *
   * @param isStored whether the very same file is stored already
   * @param active what is active under its name; empty for nothing
   */
  record Sound(AcmeEndpoint endpoint, boolean isStored, Optional<Active> active)
      implements EndpointAnswer {}

  /**
   * What is active under a name.
   *
   * @param isStored whether it is a stored version, and not the file of the node asked
   * @param endpoint empty for a version that an earlier release stored and this one refuses
   */
  record Active(int version, boolean isStored, Optional<AcmeEndpoint> endpoint) {}

  /** Nothing speaks against the wish now. */
  record Ready(ActivationWish<EndpointName> wish) implements EndpointAnswer {}

  /** This activation counts, be it new or the one that was there. */
  record InForce(EndpointActivation activation) implements EndpointAnswer {}

  /** There is no such endpoint or version. */
  record Unknown(String detail) implements EndpointAnswer {}

  /** The version is no endpoint that this node may serve. */
  record Invalid(List<String> faults) implements EndpointAnswer {

    /** Copies the list. */
    public Invalid {
      faults = List.copyOf(faults);
    }
  }

  /** Something else is there already. */
  record Contradicted(String detail) implements EndpointAnswer {}
}
