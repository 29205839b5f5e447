package org.sluiceca.api.acme.endpoint.administration;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.InvalidEndpoint;
import org.sluiceca.api.acme.endpoint.store.EndpointActivation;
import org.sluiceca.api.acme.endpoint.store.EndpointActivationStore;
import org.sluiceca.api.acme.endpoint.store.EndpointStore;
import org.sluiceca.api.acme.endpoint.store.StoredEndpoint;
import org.sluiceca.api.acme.endpoint.version.ActiveEndpoints;
import org.sluiceca.api.acme.endpoint.version.EndpointRules;
import org.sluiceca.api.approval.ActivationWish;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.RequesterId;

/**
 * Activates stored versions of endpoints, or each node's file again; an activation is in the audit
 * trail before it is made. The caller decides which requesters may ask. Thread-safe; every method
 * blocks, for some seconds at most, and throws {@link
 * org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} when the database does not answer: the
 * activation may have been made then, and asking again is safe.
 */
public final class EndpointActivations {

  private final EndpointRules rules;
  private final EndpointStore store;
  private final EndpointActivationStore activations;
  private final AuditTrail trail;
  private final ActiveEndpoints active;

  /** Acts upon the stores, and has {@code active} take it up at once. */
  public EndpointActivations(
      EndpointRules rules,
      EndpointStore store,
      EndpointActivationStore activations,
      AuditTrail trail,
      ActiveEndpoints active) {
    this.rules = rules;
    this.store = store;
    this.activations = activations;
    this.trail = trail;
    this.active = active;
  }

  /** Returns the activation that counts for a name. */
  public Optional<EndpointActivation> current(EndpointName name) {
    return activations.current(name);
  }

  /** Returns the activation that this approval has made. */
  public Optional<EndpointActivation> approved(UUID approval) {
    return activations.approved(approval);
  }

  /**
   * Judges a wish, and does nothing.
   *
   * @param version a stored one; empty for each node's file again
   * @param replaces the activation that the requester has seen; empty for whichever there is
   */
  public EndpointAnswer judge(
      EndpointName name, OptionalInt version, OptionalLong replaces, RequesterId by) {
    Optional<EndpointActivation> current = activations.current(name);
    if (version.isEmpty() && current.isEmpty()) {
      return new EndpointAnswer.Unknown(
          String.format(Locale.ROOT, "no version of endpoint %s was ever activated", name));
    }
    if (version.isPresent()) {
      Optional<EndpointAnswer> fault = fault(name, version.getAsInt());
      if (fault.isPresent()) {
        return fault.get();
      }
    }
    long number = current.map(EndpointActivation::number).orElse(EndpointActivation.NONE);
    if (replaces.isPresent() && replaces.getAsLong() != number) {
      return overtaken(name, number);
    }
    if (current.isPresent() && current.get().version().equals(version)) {
      return new EndpointAnswer.InForce(current.get());
    }
    return new EndpointAnswer.Ready(new ActivationWish<>(name, version, number, by));
  }

  /** Why a stored version cannot be activated, if it cannot. */
  private Optional<EndpointAnswer> fault(EndpointName name, int version) {
    Optional<StoredEndpoint> stored = store.find(name, version);
    if (stored.isEmpty()) {
      return Optional.of(
          new EndpointAnswer.Unknown(
              String.format(Locale.ROOT, "no version %d of endpoint %s is stored", version, name)));
    }
    try {
      AcmeEndpoint endpoint = rules.judged(stored.get().content().octets());
      return endpoint.name().equals(name) && endpoint.version() == version
          ? Optional.empty()
          : Optional.of(
              new EndpointAnswer.Invalid(List.of("it is stored under another name or version")));
    } catch (InvalidEndpoint e) {
      return Optional.of(new EndpointAnswer.Invalid(e.faults()));
    }
  }

  /** Does what {@link #judge} found nothing against, unless another was faster. */
  public EndpointAnswer activate(ActivationWish<EndpointName> wish) {
    return activate(wish, Optional.empty());
  }

  /**
   * Does what a second person has approved, once, however often it is asked.
   *
   * @param approval distinguishes a repeat from another, identical wish
   */
  public EndpointAnswer activateApproved(ActivationWish<EndpointName> wish, UUID approval) {
    Optional<EndpointActivation> made = activations.approved(approval);
    if (made.isPresent()) {
      return new EndpointAnswer.InForce(made.get());
    }
    EndpointAnswer answer =
        judge(wish.name(), wish.version(), OptionalLong.of(wish.replaces()), wish.by());
    if (answer instanceof EndpointAnswer.Ready(var ready)) {
      answer = activate(ready, Optional.of(approval));
    }
    // Another node may have been faster with the very same approval.
    return activations
        .approved(approval)
        .<EndpointAnswer>map(EndpointAnswer.InForce::new)
        .orElse(answer);
  }

  private EndpointAnswer activate(ActivationWish<EndpointName> wish, Optional<UUID> approval) {
    trail.recordDurably(
        new Fact(
            AuditKind.ENDPOINT_ACTIVATE,
            wish.by().value(),
            Map.of(
                "endpoint", wish.name().value(),
                "version", wish.version().isPresent() ? wish.version().getAsInt() : "file",
                "replaces", wish.replaces())));
    Optional<EndpointActivation> made =
        activations.activate(wish.name(), wish.version(), wish.replaces(), wish.by(), approval);
    if (made.isEmpty()) {
      return overtaken(
          wish.name(),
          activations
              .current(wish.name())
              .map(EndpointActivation::number)
              .orElse(EndpointActivation.NONE));
    }
    active.wake();
    return new EndpointAnswer.InForce(made.get());
  }

  private static EndpointAnswer overtaken(EndpointName name, long number) {
    return new EndpointAnswer.Contradicted(
        String.format(
            Locale.ROOT,
            "activation %d of endpoint %s came before: look what it is, and ask again",
            number,
            name));
  }
}
