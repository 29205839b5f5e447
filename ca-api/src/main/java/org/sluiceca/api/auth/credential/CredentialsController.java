package org.sluiceca.api.auth.credential;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.ApprovalBody;
import org.sluiceca.api.approval.Approvals;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.auth.Authenticator;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.credential.CredentialRule.Verdict;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.Insertion;
import org.sluiceca.api.auth.store.CredentialStore.ListedCredential;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.IdentityHistory;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/credentials}: admins register requesters by giving them a token or by naming a client
 * certificate. A token is shown once, in the answer that makes it.
 */
@RestController
final class CredentialsController {

  /** Reserved for the node and the ceremony. */
  private static final String RESERVED = "sluice.";

  private static final int DAYS_DEFAULT = 90;
  private static final int DAYS_MAX = 825;

  /**
   * A registration.
   *
   * @param certificate PEM of a client certificate to register by its key; without it a token is
   *     made
   * @param days 1 to 825, default 90
   */
  record Registration(
      @Nullable String requester,
      @Nullable Set<String> roles,
      @Nullable Set<String> profiles,
      @Nullable Integer days,
      @Nullable String certificate) {}

  private final CredentialStore credentials;
  private final ProfileCatalog profiles;
  private final InstantSource clock;
  private final AuditTrail trail;
  private final Approvals approvals;

  CredentialsController(
      CredentialStore credentials,
      ProfileCatalog profiles,
      InstantSource clock,
      AuditTrail trail,
      Approvals approvals) {
    this.approvals = approvals;
    this.credentials = credentials;
    this.profiles = profiles;
    this.clock = clock;
    this.trail = trail;
  }

  /** A page; {@code Link: <…>; rel="next"} (RFC 8288) points to the next one, if there is one. */
  @GetMapping("/v1/credentials")
  ResponseEntity<List<CredentialBody>> list(
      @RequestParam(name = "limit", required = false) @Nullable String limit,
      @RequestParam(name = "cursor", required = false) @Nullable String cursor) {
    int max = CredentialPage.limit(limit);
    // One more than asked for says whether there is a next page.
    List<ListedCredential> found = credentials.page(CredentialPage.position(cursor), max + 1);
    List<ListedCredential> page = found.subList(0, Math.min(max, found.size()));
    ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
    if (found.size() > max) {
      answer.header(HttpHeaders.LINK, CredentialPage.next(page.getLast().credential(), max));
    }
    return answer.body(page.stream().map(CredentialBody::listed).toList());
  }

  @PostMapping(path = "/v1/credentials", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<Object> register(
      @AuthenticationPrincipal Requester admin, @RequestBody Registration registration) {
    RequesterId requester = requester(registration.requester());
    Set<Role> roles = roles(registration.roles());
    Set<ProfileName> allowed = profiles(registration.profiles());
    int days = registration.days() == null ? DAYS_DEFAULT : registration.days();
    if (days < 1 || days > DAYS_MAX) {
      throw malformed("days must be 1 to " + DAYS_MAX);
    }
    Instant end = clock.instant().plus(Duration.ofDays(days)).truncatedTo(ChronoUnit.SECONDS);
    Grant grant = new Grant(roles, allowed, end);
    String token = registration.certificate() == null ? Tokens.next() : null;
    NewCredential credential =
        token == null
            ? new NewCredential(
                requester,
                Kind.CERTIFICATE,
                Authenticator.sha256(publicKey(String.valueOf(registration.certificate()))),
                grant)
            : new NewCredential(requester, Kind.TOKEN, Tokens.hash(token), grant);
    if (token == null && credentials.isCompromised(credential.sha256())) {
      throw new ProblemException(
          ProblemType.COMPROMISED_KEY,
          "the key of this certificate was reported as compromised: register one of another key");
    }
    if (!approvals.isHeldBack(ApprovalAction.CREDENTIAL_ADMIN)) {
      return registered(admin, credential, token, history -> true);
    }
    return switch (CredentialRule.judge(credential, credentials.history(requester), admin.id())) {
      case Verdict.Alone alone ->
          registered(
              admin,
              credential,
              token,
              history ->
                  CredentialRule.judge(credential, history, admin.id()) instanceof Verdict.Alone);
      case Verdict.TwoPeople(boolean isTokenAllowed) ->
          waiting(admin, credential, token, isTokenAllowed);
      case Verdict.Forbidden(String detail) ->
          throw new ProblemException(ProblemType.FORBIDDEN, detail);
      case Verdict.Contradicted(String detail) ->
          throw new ProblemException(ProblemType.CONFLICT, detail);
    };
  }

  private ResponseEntity<Object> registered(
      Requester admin,
      NewCredential credential,
      @Nullable String token,
      Predicate<IdentityHistory> isAllowed) {
    trail.recordDurably(CredentialAct.fact(admin.id(), credential));
    return switch (credentials.insertIf(credential, isAllowed)) {
      case Insertion.Inserted(RegisteredCredential inserted) ->
          ResponseEntity.created(URI.create("/v1/credentials/" + inserted.id()))
              .body(CredentialBody.made(inserted, token));
      case Insertion.KeyTaken taken -> throw registeredAlready();
      case Insertion.Disallowed not ->
          throw new ProblemException(
              ProblemType.CONFLICT,
              "another credential of this requester was registered at this moment: send the request"
                  + " again");
    };
  }

  private ResponseEntity<Object> waiting(
      Requester admin, NewCredential credential, @Nullable String token, boolean isTokenAllowed) {
    if (token != null && !isTokenAllowed) {
      throw new ProblemException(
          ProblemType.TOKEN_NOT_APPROVABLE,
          "the administrator who asks for a token knows it, so another could not approve it for its"
              + " holder: send the certificate of a key that its holder alone has, and that the"
              + " approver can compare with the holder");
    }
    if (credentials.find(credential.kind(), credential.sha256()).isPresent()) {
      throw registeredAlready();
    }
    return ApprovalBody.waiting(
        approvals.ask(ApprovalAction.CREDENTIAL_ADMIN, CredentialAct.content(credential), admin),
        token);
  }

  @DeleteMapping("/v1/credentials/{id}")
  ResponseEntity<Void> revoke(@AuthenticationPrincipal Requester admin, @PathVariable String id) {
    UUID credential = idOf(id);
    trail.recordDurably(
        new Fact(
            AuditKind.CREDENTIAL_REVOKE,
            admin.id().value(),
            Map.of("credential", credential.toString())));
    if (!credentials.revoke(credential)) {
      throw unknown();
    }
    return ResponseEntity.noContent().build();
  }

  private static UUID idOf(String id) {
    try {
      return UUID.fromString(id);
    } catch (IllegalArgumentException e) {
      throw unknown();
    }
  }

  private static ProblemException registeredAlready() {
    return new ProblemException(ProblemType.CONFLICT, "this key is registered already");
  }

  private static ProblemException unknown() {
    return new ProblemException(ProblemType.NOT_FOUND, "unknown credential");
  }

  private static RequesterId requester(@Nullable String name) {
    try {
      RequesterId requester = new RequesterId(String.valueOf(name));
      if (name == null || name.startsWith(RESERVED)) {
        throw malformed("requester must be a name that does not start with " + RESERVED);
      }
      return requester;
    } catch (IllegalArgumentException e) {
      throw malformed("requester must be 1 to 64 of a-z 0-9 . _ -");
    }
  }

  private static Set<Role> roles(@Nullable Set<String> names) {
    if (names == null || names.isEmpty() || names.stream().anyMatch(Objects::isNull)) {
      throw malformed("roles must name at least one of " + List.of(Role.values()));
    }
    try {
      return names.stream().map(Role::valueOf).collect(Collectors.toUnmodifiableSet());
    } catch (IllegalArgumentException e) {
      throw malformed("roles must be of " + List.of(Role.values()));
    }
  }

  private Set<ProfileName> profiles(@Nullable Set<String> names) {
    if (names == null) {
      return Set.of();
    }
    if (names.size() > RegisteredCredential.PROFILES_MAX) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "%d profiles, allowed %d",
              names.size(),
              RegisteredCredential.PROFILES_MAX));
    }
    for (String name : names) {
      if (name == null || !ProfileName.isValid(name)) {
        throw malformed("among the profiles is what cannot be a profile's name");
      }
      if (profiles.find(new ProfileName(name)).isEmpty()) {
        throw new ProblemException(
            ProblemType.UNKNOWN_PROFILE, "there is no profile of the name " + name);
      }
    }
    return names.stream().map(ProfileName::new).collect(Collectors.toUnmodifiableSet());
  }

  private static byte[] publicKey(String pem) {
    try {
      return CertificateFactory.getInstance("X.509")
          .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))
          .getPublicKey()
          .getEncoded();
    } catch (CertificateException e) {
      throw malformed("certificate must be one PEM certificate");
    }
  }

  private static ProblemException malformed(String detail) {
    return new ProblemException(ProblemType.MALFORMED_REQUEST, detail);
  }
}
