package org.sluiceca.api.acme.endpoint;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.validation.AddressPolicy;
import org.sluiceca.api.validation.Method;
import org.sluiceca.api.validation.PersistTerms;
import org.sluiceca.api.validation.Perspectives;
import org.sluiceca.api.validation.Perspectives.Perspective;
import org.sluiceca.api.validation.ValidationTerms;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.name.NameSpace;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.IpLiteral;

/** The form of a file that describes an endpoint. */
record EndpointFile(
    @Nullable String name,
    @Nullable String protocol,
    @Nullable Integer version,
    @Nullable List<String> profiles,
    @Nullable String externalAccountBinding,
    @Nullable String requester,
    @Nullable Boolean anyName,
    @Nullable Challenges challenges) {

  private static final String PROTOCOL = "acme";
  private static final String REQUIRED = "required";
  private static final String NONE = "none";

  private static final int VERSION_MAX = 1_000_000;

  /** Requesters of the CA itself. */
  private static final String RESERVED = "sluice.";

  /** The part about challenges. */
  record Challenges(
      @Nullable List<String> methods,
      @Nullable List<String> names,
      @Nullable Boolean ipAddresses,
      @Nullable List<String> resolvers,
      @Nullable Boolean resolversAgree,
      @Nullable String addresses,
      @Nullable List<String> networks,
      @Nullable Integer httpPort,
      @Nullable Integer tlsPort,
      @Nullable Integer deadlineSeconds,
      @Nullable List<String> issuerDomainNames,
      @Nullable Boolean clearAccountUris,
      @Nullable List<PerspectivePart> perspectives,
      @Nullable Integer perspectivesAgree) {

    Proofs proofs() {
      if (methods == null || names == null) {
        throw new IllegalArgumentException("challenges need methods and names");
      }
      return new Proofs(
          methods.stream().map(Challenges::method).distinct().toList(),
          new NameSpace(names),
          Boolean.TRUE.equals(ipAddresses),
          terms());
    }

    private static Method method(String text) {
      return Method.parse(text)
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "a method is http-01, dns-01, tls-alpn-01 or dns-persist-01, not " + text));
    }

    private ValidationTerms terms() {
      List<String> issuers = issuerDomainNames == null ? List.of() : issuerDomainNames;
      return new ValidationTerms(
          resolvers == null
              ? List.of()
              : resolvers.stream().map(ValidationTerms::resolver).toList(),
          Boolean.TRUE.equals(resolversAgree),
          httpPort == null ? ValidationTerms.HTTP_PORT : httpPort,
          tlsPort == null ? ValidationTerms.TLS_PORT : tlsPort,
          new AddressPolicy(
              scope(), networks == null ? List.of() : AddressPolicy.networks(networks)),
          issuers.isEmpty()
              ? PersistTerms.none()
              : new PersistTerms(issuers, !Boolean.FALSE.equals(clearAccountUris), false),
          deadlineSeconds == null ? ValidationTerms.DEADLINE : Duration.ofSeconds(deadlineSeconds),
          allPerspectives());
    }

    private Perspectives allPerspectives() {
      List<Perspective> all =
          perspectives == null
              ? List.of()
              : perspectives.stream()
                  // No more than the limit refuses.
                  .limit(Perspectives.MAX + 1)
                  .map(PerspectivePart::perspective)
                  .toList();
      return new Perspectives(all, perspectivesAgree == null ? all.size() : perspectivesAgree);
    }

    private AddressPolicy.Scope scope() {
      return switch (addresses) {
        case null -> AddressPolicy.Scope.PRIVATE;
        case "private" -> AddressPolicy.Scope.PRIVATE;
        case "public" -> AddressPolicy.Scope.PUBLIC;
        case "trial" -> AddressPolicy.Scope.TRIAL;
        default ->
            throw new IllegalArgumentException(
                "addresses must be private (and public ones) or public, not " + addresses);
      };
    }
  }

  /** The part about one perspective. */
  record PerspectivePart(
      @Nullable String name, @Nullable List<String> resolvers, @Nullable String sourceAddress) {

    Perspective perspective() {
      return new Perspective(
          name == null ? "" : name,
          resolvers == null
              ? List.of()
              : resolvers.stream().map(ValidationTerms::resolver).toList(),
          Optional.ofNullable(sourceAddress).map(PerspectivePart::address));
    }

    private static InetAddress address(String text) {
      return IpLiteral.parse(text)
          .orElseThrow(
              () -> new IllegalArgumentException("a source-address is an IP address, not " + text));
    }
  }

  AcmeEndpoint endpoint() {
    if (name == null || !EndpointName.isValid(name)) {
      throw new IllegalArgumentException("name must be 1 to 40 of a-z, 0-9 and -, first a letter");
    }
    if (!PROTOCOL.equals(protocol)) {
      throw new IllegalArgumentException("protocol must be acme");
    }
    if (version != null && (version < 1 || version > VERSION_MAX)) {
      throw new IllegalArgumentException("version must be a number from 1 to " + VERSION_MAX);
    }
    if (profiles == null || profiles.stream().anyMatch(p -> p == null || !ProfileName.isValid(p))) {
      throw new IllegalArgumentException("profiles must be a list of names of profiles");
    }
    return new AcmeEndpoint(
        new EndpointName(name),
        version == null ? OptionalInt.empty() : OptionalInt.of(version),
        profiles.stream().map(ProfileName::new).toList(),
        owner(),
        Boolean.TRUE.equals(anyName),
        Optional.ofNullable(challenges).map(Challenges::proofs));
  }

  private Optional<RequesterId> owner() {
    return switch (externalAccountBinding) {
      case REQUIRED -> {
        if (requester != null) {
          throw new IllegalArgumentException(
              "requester has no place where external-account-binding is required: each binding has"
                  + " its own");
        }
        yield Optional.empty();
      }
      case NONE -> {
        if (requester == null || requester.startsWith(RESERVED)) {
          throw new IllegalArgumentException(
              "requester must say whose share of the HSM the accounts use");
        }
        yield Optional.of(new RequesterId(requester));
      }
      case null, default ->
          throw new IllegalArgumentException("external-account-binding must be required or none");
    };
  }
}
