package org.sluiceca.api.acme.endpoint.administration;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.store.EndpointActivation;
import org.sluiceca.api.acme.endpoint.store.StoredEndpoint;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.validation.Method;
import org.sluiceca.core.request.ProfileName;

/** What the answers about endpoints say. */
final class EndpointBodies {

  private EndpointBodies() {}

  /** A version that is stored now. */
  record StoredBody(String name, int version, String sha256) {}

  /** A stored version in a list. */
  record VersionBody(int version, String sha256, String addedBy, String addedAt) {

    static VersionBody of(StoredEndpoint version) {
      return new VersionBody(
          version.version(),
          Digest.sha256(version.content().octets()).toString(),
          version.addedBy().value(),
          version.addedAt().toString());
    }
  }

  /**
   * An activation.
   *
   * @param version absent for each node's file
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ActivationBody(
      String name,
      long activation,
      @Nullable Integer version,
      String activatedBy,
      String activatedAt) {

    static ActivationBody of(EndpointActivation activation) {
      return new ActivationBody(
          activation.name().value(),
          activation.number(),
          activation.version().isPresent() ? activation.version().getAsInt() : null,
          activation.activatedBy().value(),
          activation.activatedAt().toString());
    }
  }

  /**
   * An endpoint as the node asked sees it; what it serves is absent where it serves nothing.
   *
   * @param state {@code served}, {@code refused} or {@code off}
   * @param source {@code file} or {@code stored}
   * @param requester whose share its accounts use, where they need no binding
   * @param methods of challenges
   * @param refused why an active version is out of service here
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record EndpointBody(
      String name,
      String state,
      @Nullable Integer version,
      @Nullable String source,
      @Nullable Boolean bindingRequired,
      @Nullable String requester,
      @Nullable List<String> profiles,
      @Nullable List<String> methods,
      @Nullable String refused) {

    static EndpointBody of(EndpointAdministration.Seen seen) {
      Optional<AcmeEndpoint> served = seen.served();
      return new EndpointBody(
          seen.name(),
          served.isPresent() ? "served" : seen.refused().isPresent() ? "refused" : "off",
          served.map(AcmeEndpoint::version).orElse(null),
          served.map(_ -> seen.isStored() ? "stored" : "file").orElse(null),
          served.map(endpoint -> endpoint.owner().isEmpty()).orElse(null),
          served.flatMap(AcmeEndpoint::owner).map(Object::toString).orElse(null),
          served
              .map(endpoint -> endpoint.profiles().stream().map(ProfileName::value).toList())
              .orElse(null),
          served.map(EndpointBody::methods).orElse(null),
          seen.refused().orElse(null));
    }

    private static List<String> methods(AcmeEndpoint endpoint) {
      return endpoint.proofs().stream()
          .flatMap(proofs -> proofs.methods().stream())
          .map(Method::text)
          .toList();
    }
  }

  /**
   * One endpoint's versions.
   *
   * @param active the activation that counts, absent where nothing was ever activated
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record VersionsBody(
      @Nullable ActivationBody active, EndpointBody endpoint, List<VersionBody> versions) {}
}
