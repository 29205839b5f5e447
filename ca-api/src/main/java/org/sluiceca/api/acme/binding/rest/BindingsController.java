package org.sluiceca.api.acme.binding.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.acme.binding.Binding;
import org.sluiceca.api.acme.binding.NewBinding;
import org.sluiceca.api.acme.binding.store.BindingStore;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.AcmeEndpoints;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.enrollment.renewal.ServiceUrl;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.registration.name.NameSpace;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
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
 * {@code /v1/acme-bindings}: administrators make external account bindings for ACME, list and
 * revoke them. Its key is shown once, in the answer that makes it.
 */
@RestController
final class BindingsController {

  private static final String PATH = "/v1/acme-bindings";
  private static final String RESERVED = "sluice.";
  private static final int DAYS_DEFAULT = 90;
  private static final int DAYS_MAX = 825;
  private static final int PROFILES_MAX = 100;
  private static final int PAGE = 1_000;
  private static final Pattern CURSOR = Pattern.compile("([0-9]{1,18})/([A-Za-z0-9_-]{1,64})");

  /**
   * A wish for a binding.
   *
   * @param requester whose share, quota and profiles its accounts use
   * @param names a name space
   * @param profiles of the endpoint; absent for all
   * @param days 1 to 825 in which accounts can be made, default 90
   * @param single whether it makes one account alone, default false
   */
  record Wish(
      @Nullable String endpoint,
      @Nullable String requester,
      @Nullable List<String> names,
      @Nullable Set<String> profiles,
      @Nullable Integer days,
      @Nullable Boolean single) {}

  /** A binding in JSON; {@code hmacKey} and {@code directory} only in the answer that makes it. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Body(
      String kid,
      String endpoint,
      String requester,
      List<String> names,
      List<String> profiles,
      boolean single,
      String createdBy,
      String createdAt,
      String expiresAt,
      @Nullable String revokedAt,
      @Nullable String directory,
      @Nullable String hmacKey) {}

  private final BindingStore bindings;
  private final AcmeEndpoints endpoints;
  private final AuditTrail trail;
  private final InstantSource clock;
  private final String service;

  BindingsController(
      BindingStore bindings,
      AcmeEndpoints endpoints,
      AuditTrail trail,
      InstantSource clock,
      ServiceUrl service) {
    this.bindings = bindings;
    this.endpoints = endpoints;
    this.trail = trail;
    this.clock = clock;
    this.service = service.text();
  }

  @PostMapping(path = PATH, consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<Body> add(@AuthenticationPrincipal Requester admin, @RequestBody Wish wish) {
    AcmeEndpoint endpoint =
        Optional.ofNullable(wish.endpoint())
            .flatMap(endpoints::find)
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemType.NOT_FOUND,
                        "endpoint must be one of "
                            + endpoints.all().stream().map(e -> e.name().value()).toList()));
    int days = wish.days() == null ? DAYS_DEFAULT : wish.days();
    if (days < 1 || days > DAYS_MAX) {
      throw malformed("days must be 1 to " + DAYS_MAX);
    }
    NewBinding fresh = NewBinding.next();
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Binding binding =
        new Binding(
            fresh.kid(),
            endpoint.name(),
            requester(wish.requester()),
            names(endpoint, wish.names()),
            profiles(endpoint, wish.profiles()),
            Boolean.TRUE.equals(wish.single()),
            admin.id().value(),
            now,
            now.plus(Duration.ofDays(days)).truncatedTo(ChronoUnit.SECONDS),
            Optional.empty());
    trail.recordDurably(
        new Fact(
            AuditKind.ACME_BINDING,
            admin.id().value(),
            Map.of(
                "act", "add",
                "kid", binding.kid(),
                "endpoint", binding.endpoint().value(),
                "requester", binding.requester().value(),
                "names", binding.names().patterns(),
                "expiresAt", binding.expiresAt().toString())));
    bindings.add(binding, fresh.hmacKey());
    return ResponseEntity.created(URI.create(PATH + "/" + binding.kid()))
        .body(
            body(
                binding,
                service + "/acme/" + endpoint.name().value() + "/directory",
                fresh.keyText()));
  }

  /** A page; {@code Link: <…>; rel="next"} (RFC 8288) points to the next one, if there is one. */
  @GetMapping(PATH)
  ResponseEntity<List<Body>> list(
      @RequestParam(name = "cursor", required = false) @Nullable String cursor) {
    Instant after = Instant.EPOCH;
    String kid = "";
    if (cursor != null) {
      Matcher place = CURSOR.matcher(decoded(cursor));
      if (!place.matches()) {
        throw malformed("the cursor is not one that an answer's Link header had");
      }
      after = Instant.EPOCH.plus(Long.parseLong(place.group(1)), ChronoUnit.MICROS);
      kid = place.group(2);
    }
    List<Binding> page = bindings.page(after, kid, PAGE);
    ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
    if (page.size() == PAGE) {
      answer.header(HttpHeaders.LINK, next(page.getLast()));
    }
    return answer.body(page.stream().map(binding -> body(binding, null, null)).toList());
  }

  @DeleteMapping(PATH + "/{kid}")
  ResponseEntity<Void> revoke(@AuthenticationPrincipal Requester admin, @PathVariable String kid) {
    trail.recordDurably(
        new Fact(AuditKind.ACME_BINDING, admin.id().value(), Map.of("act", "revoke", "kid", kid)));
    if (!bindings.revoke(kid)) {
      throw new ProblemException(ProblemType.NOT_FOUND, "no external account binding of this kid");
    }
    return ResponseEntity.noContent().build();
  }

  private static String decoded(String cursor) {
    try {
      return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private static String next(Binding last) {
    String place = ChronoUnit.MICROS.between(Instant.EPOCH, last.createdAt()) + "/" + last.kid();
    return "<"
        + PATH
        + "?cursor="
        + Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(place.getBytes(StandardCharsets.ISO_8859_1))
        + ">; rel=\"next\"";
  }

  private static Body body(Binding binding, @Nullable String directory, @Nullable String hmacKey) {
    return new Body(
        binding.kid(),
        binding.endpoint().value(),
        binding.requester().value(),
        binding.names().patterns(),
        binding.profiles().stream().map(ProfileName::value).sorted().toList(),
        binding.isSingle(),
        binding.createdBy(),
        binding.createdAt().toString(),
        binding.expiresAt().toString(),
        binding.revokedAt().map(Instant::toString).orElse(null),
        directory,
        hmacKey);
  }

  private static RequesterId requester(@Nullable String name) {
    try {
      if (name == null || name.startsWith(RESERVED)) {
        throw malformed("requester must be a name that does not start with " + RESERVED);
      }
      return new RequesterId(name);
    } catch (IllegalArgumentException e) {
      throw malformed("requester must be 1 to 64 of a-z 0-9 . _ -");
    }
  }

  private static NameSpace names(AcmeEndpoint endpoint, @Nullable List<String> patterns) {
    if (patterns == null || patterns.stream().anyMatch(Objects::isNull)) {
      throw malformed("names must be a list such as [\"*.corp.example\"]");
    }
    Optional<String> fault = NameSpace.fault(patterns);
    if (fault.isPresent()) {
      throw malformed(fault.get());
    }
    NameSpace names = new NameSpace(patterns);
    if (names.isAny() && !endpoint.allowsAnyName()) {
      throw malformed("names may be * on an endpoint of a trial alone: name the domains");
    }
    return names;
  }

  private static Set<ProfileName> profiles(AcmeEndpoint endpoint, @Nullable Set<String> names) {
    if (names == null) {
      return Set.of();
    }
    if (names.isEmpty() || names.size() > PROFILES_MAX) {
      throw malformed("profiles must name 1 to " + PROFILES_MAX + ", or be left out for all");
    }
    List<String> known = endpoint.profiles().stream().map(ProfileName::value).toList();
    if (!known.containsAll(names)) {
      throw new ProblemException(
          ProblemType.UNKNOWN_PROFILE, "profiles must be of " + known + ", those of the endpoint");
    }
    return names.stream().map(ProfileName::new).collect(Collectors.toUnmodifiableSet());
  }

  private static ProblemException malformed(String detail) {
    return new ProblemException(ProblemType.MALFORMED_REQUEST, detail);
  }
}
