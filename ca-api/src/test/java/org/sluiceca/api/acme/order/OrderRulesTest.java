package org.sluiceca.api.acme.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.account.Standing;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.binding.Binding;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.Proofs;
import org.sluiceca.api.validation.AddressPolicy;
import org.sluiceca.api.validation.Method;
import org.sluiceca.api.validation.PersistTerms;
import org.sluiceca.api.validation.Perspectives;
import org.sluiceca.api.validation.ValidationTerms;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.registration.name.NameSpace;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.OctetString;

/** What an order was made under may have changed before its CSR comes. */
class OrderRulesTest {

  private static final EndpointName WEB = new EndpointName("web");
  private static final RequesterId OWNER = new RequesterId("acme-web");
  private static final ProfileName SERVER = new ProfileName("tls-server");
  private static final Instant NOW = Instant.parse("2026-11-28T08:00:00Z");
  private static final RegistrationId ID =
      new RegistrationId(OctetString.copyOf(new byte[RegistrationId.OCTETS]));

  private static AcmeEndpoint endpoint(ProfileName profile, String names, Method... methods) {
    return new AcmeEndpoint(
        WEB,
        OptionalInt.of(1),
        List.of(profile),
        Optional.of(OWNER),
        false,
        Optional.of(
            new Proofs(
                List.of(methods),
                new NameSpace(List.of(names)),
                false,
                new ValidationTerms(
                    List.of(),
                    false,
                    ValidationTerms.HTTP_PORT,
                    ValidationTerms.TLS_PORT,
                    new AddressPolicy(AddressPolicy.Scope.PRIVATE, List.of()),
                    PersistTerms.none(),
                    ValidationTerms.DEADLINE,
                    Perspectives.none()))));
  }

  private static Account account(Optional<Binding> binding) {
    return new Account(
        ID,
        WEB,
        OctetString.copyOf(new byte[32]),
        SoftwareKey.named("ec-p256").publicKey(),
        List.of(),
        OWNER,
        binding,
        new Standing(Optional.empty(), true, Optional.empty(), Optional.empty()));
  }

  private static Binding binding(String names, Set<ProfileName> profiles) {
    return new Binding(
        "kid",
        WEB,
        OWNER,
        new NameSpace(List.of(names)),
        profiles,
        false,
        "admin",
        NOW,
        NOW.plus(Duration.ofDays(1)),
        Optional.empty());
  }

  private static CertificateRequest order(String... names) {
    return new CertificateRequest(
        ID,
        WEB,
        OWNER,
        ID,
        SERVER,
        List.of(names).stream().<Identifier>map(Identifier.Dns::new).toList(),
        NOW,
        NOW.plus(Duration.ofDays(1)),
        Optional.empty(),
        new RequestState.Ready());
  }

  private static Authorization proven(int number, Method by, Authorization.Status status) {
    return new Authorization(
        number, "token", status, Optional.of(by.text()), Optional.empty(), Optional.empty());
  }

  private static Authorization proven(int number, Method by) {
    return proven(number, by, Authorization.Status.VALID);
  }

  private static AcmeProblem refused(
      AcmeEndpoint endpoint, Account account, CertificateRequest order, Authorization... proofs) {
    AcmeProblem problem =
        catchThrowableOfType(
            AcmeProblem.class,
            () -> OrderRules.requireAllowedStill(endpoint, account, order, List.of(proofs)));
    assertThat(problem).isNotNull();
    return problem;
  }

  private static void assertAllowed(
      AcmeEndpoint endpoint, Account account, CertificateRequest order, Authorization... proofs) {
    assertThatCode(() -> OrderRules.requireAllowedStill(endpoint, account, order, List.of(proofs)))
        .doesNotThrowAnyException();
  }

  @Test
  void finalize_methodNoLongerOffered_refusedForEachNameProvenByIt() {
    AcmeEndpoint now = endpoint(SERVER, "*.corp.example", Method.DNS_01);
    CertificateRequest order = order("a.corp.example", "b.corp.example", "c.corp.example");

    AcmeProblem problem =
        refused(
            now,
            account(Optional.empty()),
            order,
            proven(0, Method.HTTP_01),
            proven(1, Method.DNS_01),
            proven(2, Method.TLS_ALPN_01));

    assertThat(problem.type()).isEqualTo(AcmeError.UNAUTHORIZED);
    assertThat(problem.detail()).contains("make another order");
    assertThat(problem.subproblems())
        .extracting(sub -> sub.subject().orElseThrow().value())
        .containsExactly("a.corp.example", "c.corp.example");
    assertThat(problem.subproblems().getFirst().detail()).contains("http-01");
  }

  @Test
  void finalize_methodStillOffered_allowed() {
    AcmeEndpoint now = endpoint(SERVER, "*.corp.example", Method.DNS_01, Method.HTTP_01);

    assertAllowed(
        now,
        account(Optional.empty()),
        order("a.corp.example", "b.corp.example"),
        proven(0, Method.HTTP_01),
        proven(1, Method.DNS_01));
  }

  /** Its client is answered that the order is pending. */
  @Test
  void finalize_proofNotFoundYet_isLeftToTheState() {
    AcmeEndpoint now = endpoint(SERVER, "*.corp.example", Method.DNS_01);

    assertAllowed(
        now,
        account(Optional.empty()),
        order("a.corp.example", "b.corp.example"),
        Authorization.pending(0, "token"),
        proven(1, Method.HTTP_01, Authorization.Status.PROCESSING));
  }

  /** A name that the binding covered when the order was made has no proof. */
  @Test
  void finalize_bindingNoLongerCoversTheName_refusedThoughTheNameCouldBeProven() {
    AcmeEndpoint now = endpoint(SERVER, "*.corp.example", Method.HTTP_01);
    CertificateRequest order = order("a.corp.example", "b.corp.example");

    assertThat(
            refused(now, account(Optional.of(binding("a.corp.example", Set.of()))), order)
                .subproblems())
        .extracting(sub -> sub.subject().orElseThrow().value())
        .containsExactly("b.corp.example");
    assertAllowed(now, account(Optional.of(binding("*.corp.example", Set.of()))), order);
  }

  @Test
  void finalize_nameOrProfileNoLongerAllowed_refused() {
    CertificateRequest order = order("a.corp.example");

    assertThat(
            refused(
                    endpoint(SERVER, "*.other.example", Method.HTTP_01),
                    account(Optional.empty()),
                    order,
                    proven(0, Method.HTTP_01))
                .type())
        .isEqualTo(AcmeError.REJECTED_IDENTIFIER);
    assertThat(
            refused(
                    endpoint(new ProfileName("other"), "*.corp.example", Method.HTTP_01),
                    account(Optional.empty()),
                    order,
                    proven(0, Method.HTTP_01))
                .detail())
        .contains("profile");
    assertThat(
            refused(
                    endpoint(SERVER, "*.corp.example", Method.HTTP_01),
                    account(
                        Optional.of(binding("*.corp.example", Set.of(new ProfileName("other"))))),
                    order)
                .detail())
        .contains("profile");
  }

  /** The owner pays with its share and its quota, and may have given the endpoint away. */
  @Test
  void finalize_endpointOfAnotherOwner_isRefused() {
    AcmeEndpoint now = endpoint(SERVER, "*.corp.example", Method.HTTP_01);
    RequesterId next = new RequesterId("next");
    Account account = account(Optional.empty()).under(Optional.of(next));

    assertThat(account.requester()).isEqualTo(next);
    assertThat(refused(now, account, order("a.corp.example"), proven(0, Method.HTTP_01)).detail())
        .contains("another owner");
  }

  @Test
  void under_ownerOfNow_countsWithoutABindingAlone() {
    Account bound = account(Optional.of(binding("*.corp.example", Set.of())));
    Account unbound = account(Optional.empty());

    assertThat(bound.under(Optional.of(new RequesterId("next")))).isEqualTo(bound);
    assertThat(unbound.under(Optional.empty())).isEqualTo(unbound);
  }
}
