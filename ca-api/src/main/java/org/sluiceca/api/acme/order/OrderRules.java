package org.sluiceca.api.acme.order;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.binding.Binding;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.Proofs;
import org.sluiceca.api.acme.signed.SignedRequest;
import org.sluiceca.api.registration.FreshId;
import org.sluiceca.api.validation.Method;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;

/** What an endpoint allows its accounts, and what an order must say. */
final class OrderRules {

  private OrderRules() {}

  /** An account gets certificates as long as what it was made by stands. */
  static void requireStanding(SignedRequest request) {
    Optional<Binding> binding = request.account().binding();
    if (binding.flatMap(Binding::revokedAt).isPresent()) {
      throw new AcmeProblem(
          AcmeError.UNAUTHORIZED,
          "the external account binding of this account was revoked: ask for another");
    }
    if (binding.isEmpty() && request.endpoint().owner().isEmpty()) {
      throw new AcmeProblem(
          AcmeError.EXTERNAL_ACCOUNT_REQUIRED,
          "accounts of this endpoint need an external account binding now: register with another"
              + " key");
    }
  }

  static ProfileName profile(AcmeEndpoint endpoint, Account account, JsonObject wanted)
      throws JsonException {
    Set<ProfileName> allowed = account.binding().map(Binding::profiles).orElse(Set.of());
    Optional<String> named = wanted.optionalText("profile");
    Optional<ProfileName> profile =
        named.isPresent() || allowed.isEmpty()
            ? endpoint.profile(named.orElse(null))
            : endpoint.profiles().stream().filter(allowed::contains).findFirst();
    return profile
        .filter(p -> allowed.isEmpty() || allowed.contains(p))
        .orElseThrow(
            () ->
                new AcmeProblem(
                    AcmeError.INVALID_PROFILE, "this account may not use that profile here"));
  }

  /**
   * Returns the proofs that an order needs; none for names that the account's binding covers.
   *
   * @throws AcmeProblem that names each identifier which is malformed, or which the account may not
   *     have
   */
  static List<Authorization> proofs(
      AcmeEndpoint endpoint, Account account, OrderIdentifiers wanted) {
    List<Authorization> proofs = new ArrayList<>();
    List<AcmeProblem.Sub> outside = new ArrayList<>();
    for (int number = 0; number < wanted.identifiers().size(); number++) {
      Identifier identifier = wanted.identifiers().get(number);
      if (account.covers(identifier)) {
        continue;
      }
      if (endpoint.proofs().filter(p -> !p.of(identifier).isEmpty()).isPresent()) {
        proofs.add(Authorization.pending(number, FreshId.next().text()));
      } else {
        outside.add(
            AcmeProblem.Sub.of(
                AcmeError.REJECTED_IDENTIFIER,
                identifier.value() + " is outside the names of this account",
                identifier));
      }
    }
    wanted.requireNone(outside, allowed(endpoint, account));
    return proofs;
  }

  private static String allowed(AcmeEndpoint endpoint, Account account) {
    return "this account may have "
        + Stream.concat(
                account.binding().stream().map(Binding::names),
                endpoint.proofs().stream().map(Proofs::names))
            .flatMap(names -> names.patterns().stream())
            .distinct()
            .collect(Collectors.joining(", "))
        + ": ask the operator for other names";
  }

  /**
   * Requires that what the endpoint and the binding allowed when the order was made is allowed
   * still, and that each name was proven by a method that the endpoint still offers for it: an
   * operator who takes a method away trusts it no longer. A name that needed no proof, because the
   * binding covered it, needs a new order once the binding does not. Nothing is issued at the
   * expense of an owner that the endpoint had before.
   *
   * @param proofs of the order, as they are now; those that are not valid yet are left to others
   */
  static void requireAllowedStill(
      AcmeEndpoint endpoint,
      Account account,
      CertificateRequest order,
      List<Authorization> proofs) {
    Set<ProfileName> bound = account.binding().map(Binding::profiles).orElse(Set.of());
    if (!endpoint.profiles().contains(order.profile())
        || !(bound.isEmpty() || bound.contains(order.profile()))) {
      throw new AcmeProblem(
          AcmeError.UNAUTHORIZED,
          "this endpoint no longer has the profile of the order: make another order");
    }
    if (!order.requester().equals(account.requester())) {
      throw new AcmeProblem(
          AcmeError.UNAUTHORIZED,
          "this endpoint has another owner than when the order was made: make another order");
    }
    var _ = proofs(endpoint, account, new OrderIdentifiers(order.identifiers(), List.of()));
    List<AcmeProblem.Sub> unproven = new ArrayList<>();
    for (int number = 0; number < order.identifiers().size(); number++) {
      Identifier identifier = order.identifiers().get(number);
      if (!account.covers(identifier)) {
        fault(endpoint, identifier, proof(proofs, number))
            .map(fault -> AcmeProblem.Sub.of(AcmeError.UNAUTHORIZED, fault, identifier))
            .ifPresent(unproven::add);
      }
    }
    if (!unproven.isEmpty()) {
      throw new AcmeProblem(
          AcmeError.UNAUTHORIZED,
          "this endpoint no longer takes what the order's names were proven by: make another order",
          unproven);
    }
  }

  private static Optional<Authorization> proof(List<Authorization> proofs, int number) {
    return proofs.stream().filter(proof -> proof.number() == number).findFirst();
  }

  private static Optional<String> fault(
      AcmeEndpoint endpoint, Identifier identifier, Optional<Authorization> proof) {
    if (proof.isEmpty()) {
      return Optional.of(identifier.value() + " was not proven, and has to be now");
    }
    List<Method> offered = endpoint.proofs().map(p -> p.of(identifier)).orElse(List.of());
    return proof
        .filter(p -> p.status() == Authorization.Status.VALID)
        .flatMap(Authorization::method)
        .filter(method -> offered.stream().noneMatch(one -> one.text().equals(method)))
        .map(method -> identifier.value() + " was proven by " + method + ", no longer offered");
  }
}
