package org.sluiceca.api.acme.endpoint;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
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
import org.sluiceca.core.syntax.Spelling;
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

    Optional<Proofs> proofs(EndpointFaults faults) {
      if (methods == null) {
        faults.add("challenges.methods must be a list such as [http-01, dns-01]");
      }
      if (names == null) {
        faults.add("challenges.names must be a list such as [\"*.corp.example\"]");
      }
      List<Method> offered = all(methods, Challenges::method, faults);
      Optional<NameSpace> space =
          Optional.ofNullable(names).flatMap(n -> faults.attempt(() -> new NameSpace(n)));
      Optional<ValidationTerms> terms = terms(faults);
      if (methods == null || space.isEmpty() || terms.isEmpty()) {
        return Optional.empty();
      }
      return faults.attempt(
          () ->
              new Proofs(
                  offered.stream().distinct().toList(),
                  space.get(),
                  Boolean.TRUE.equals(ipAddresses),
                  terms.get()));
    }

    private static Method method(String text) {
      return Method.parse(text)
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "a method is http-01, dns-01, tls-alpn-01 or dns-persist-01, not "
                          + Spelling.shown(text)));
    }

    private Optional<ValidationTerms> terms(EndpointFaults faults) {
      List<InetSocketAddress> asked = all(resolvers, ValidationTerms::resolver, faults);
      Optional<AddressPolicy> allowed =
          faults.attempt(
              () ->
                  new AddressPolicy(
                      scope(), networks == null ? List.of() : AddressPolicy.networks(networks)));
      List<String> issuers = issuerDomainNames == null ? List.of() : issuerDomainNames;
      Optional<PersistTerms> persist =
          faults.attempt(
              () ->
                  issuers.isEmpty()
                      ? PersistTerms.none()
                      : new PersistTerms(issuers, !Boolean.FALSE.equals(clearAccountUris), false));
      Optional<Perspectives> others = allPerspectives(faults);
      return faults
          .attempt(
              () ->
                  new ValidationTerms(
                      asked,
                      Boolean.TRUE.equals(resolversAgree),
                      httpPort == null ? ValidationTerms.HTTP_PORT : httpPort,
                      tlsPort == null ? ValidationTerms.TLS_PORT : tlsPort,
                      allowed.orElse(AddressPolicy.of(AddressPolicy.Scope.PRIVATE)),
                      persist.orElse(PersistTerms.none()),
                      deadlineSeconds == null
                          ? ValidationTerms.DEADLINE
                          : Duration.ofSeconds(deadlineSeconds),
                      others.orElse(Perspectives.none())))
          .filter(_ -> allowed.isPresent() && persist.isPresent() && others.isPresent());
    }

    private Optional<Perspectives> allPerspectives(EndpointFaults faults) {
      List<PerspectivePart> parts =
          perspectives == null
              ? List.of()
              // No more than the limit refuses.
              : perspectives.stream().limit(Perspectives.MAX + 1).toList();
      List<Perspective> all =
          parts.stream().flatMap(part -> part.perspective(faults).stream()).toList();
      return all.size() < parts.size()
          ? Optional.empty()
          : faults.attempt(
              () ->
                  new Perspectives(
                      all, perspectivesAgree == null ? all.size() : perspectivesAgree));
    }

    private AddressPolicy.Scope scope() {
      return switch (addresses) {
        case null -> AddressPolicy.Scope.PRIVATE;
        case "private" -> AddressPolicy.Scope.PRIVATE;
        case "public" -> AddressPolicy.Scope.PUBLIC;
        case "trial" -> AddressPolicy.Scope.TRIAL;
        default ->
            throw new IllegalArgumentException(
                "addresses must be private (and public ones) or public, not "
                    + Spelling.shown(addresses));
      };
    }
  }

  /** The part about one perspective. */
  record PerspectivePart(
      @Nullable String name, @Nullable List<String> resolvers, @Nullable String sourceAddress) {

    Optional<Perspective> perspective(EndpointFaults faults) {
      List<InetSocketAddress> asked = all(resolvers, ValidationTerms::resolver, faults);
      Optional<Optional<InetAddress>> source =
          faults.attempt(() -> Optional.ofNullable(sourceAddress).map(PerspectivePart::address));
      if (source.isEmpty() || (resolvers != null && asked.size() < resolvers.size())) {
        return Optional.empty();
      }
      return faults.attempt(() -> new Perspective(name == null ? "" : name, asked, source.get()));
    }

    private static InetAddress address(String text) {
      return IpLiteral.parse(text)
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "a source-address is an IP address, not " + Spelling.shown(text)));
    }
  }

  /** Returns the endpoint; empty if that leaves faults. */
  Optional<AcmeEndpoint> endpoint(EndpointFaults faults) {
    boolean isNamed = name != null && EndpointName.isValid(name);
    if (!isNamed) {
      faults.add("name must be 1 to 40 of a-z, 0-9 and -, first a letter");
    }
    if (!PROTOCOL.equals(protocol)) {
      faults.add("protocol must be acme");
    }
    if (version != null && (version < 1 || version > VERSION_MAX)) {
      faults.add("version must be a number from 1 to " + VERSION_MAX);
    }
    boolean hasProfiles = profiles != null && profiles.stream().allMatch(ProfileName::isValid);
    if (!hasProfiles) {
      faults.add("profiles must be a list of names of profiles");
    }
    Optional<Optional<RequesterId>> owner = faults.attempt(this::owner);
    Optional<Proofs> proofs = Optional.ofNullable(challenges).flatMap(c -> c.proofs(faults));
    if (!isNamed || !hasProfiles || owner.isEmpty() || proofs.isPresent() != (challenges != null)) {
      return Optional.empty();
    }
    return faults.attempt(
        () ->
            new AcmeEndpoint(
                new EndpointName(Objects.requireNonNull(name)),
                version == null ? OptionalInt.empty() : OptionalInt.of(version),
                Objects.requireNonNull(profiles).stream().map(ProfileName::new).toList(),
                owner.get(),
                Boolean.TRUE.equals(anyName),
                proofs));
  }

  private static <T> List<T> all(
      @Nullable List<String> texts, Function<String, T> reader, EndpointFaults faults) {
    return texts == null
        ? List.of()
        : texts.stream()
            .flatMap(text -> faults.attempt(() -> reader.apply(text)).stream())
            .toList();
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
