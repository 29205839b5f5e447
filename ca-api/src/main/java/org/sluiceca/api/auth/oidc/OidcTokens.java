package org.sluiceca.api.auth.oidc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.wire.jws.Base64Url;
import org.sluiceca.core.x509.OctetString;

/**
 * Finds the requester behind an access token of an identity provider. A verified token is
 * remembered for a minute; its times, its binding and what the register grants are asked with each
 * request. Signatures of tokens that are not remembered are verified one at a time, so that a flood
 * of made-up ones leaves the processors to others. Thread-safe; blocks for a download and two
 * queries at most.
 */
public final class OidcTokens {

  /** How long a key that was withdrawn may count after its provider's keys were fetched. */
  static final Duration VERIFIED_FOR = Duration.ofMinutes(1);

  /** As for unknown tokens of this CA. */
  private static final Duration REFUSED_FOR = Duration.ofSeconds(5);

  /** 10,000 of some 600 bytes: 6 MB at most, however long the tokens are. */
  private static final long VERIFIED_MAX = 10_000;

  private static final long REFUSED_MAX = 10_000;

  private static final Duration NOTED_FOR = Duration.ofHours(1);
  private static final int AT_ONCE = 1;
  private static final int WAITING_MAX = 64;
  private static final Duration RETRY = Duration.ofSeconds(1);

  private static final int SUBJECT_CHARACTERS_MAX = 255;

  /** A nonce is none: access tokens of older Keycloaks have it. */
  private static final List<String> NO_ACCESS_TOKEN = List.of("at_hash", "c_hash", "events");

  private static final Set<String> OTHER_KINDS = Set.of("ID", "Refresh", "Logout");

  private static final Duration PROVIDER_RETRY = ProviderKeys.INTERVAL;

  /**
   * What a token says whose signature was verified.
   *
   * @param roles by the provider's rules, whatever is granted; as the profiles
   * @param end exp, in seconds
   * @param begin the later of nbf and iat
   * @param certificate the thumbprint that it is bound to
   */
  private record Verified(
      OidcProvider provider,
      RequesterId id,
      String subject,
      Set<Role> roles,
      Set<ProfileName> profiles,
      long end,
      long begin,
      Optional<String> certificate) {}

  /** A provider and its keys. */
  private record Trusted(OidcProvider provider, ProviderKeys keys) {}

  /** What is kept for a time; made where a provider is trusted, for each start would pay for it. */
  private record Kept(
      Grants grants,
      Cache<OctetString, Verified> verified,
      Cache<OctetString, Boolean> onceVerified,
      Cache<OctetString, String> refused,
      Cache<List<String>, Boolean> noted) {}

  private final Map<String, Trusted> byIssuer;
  private final @Nullable Kept kept;
  private final Consumer<Fact> trail;
  private final InstantSource clock;
  private final Semaphore turns = new Semaphore(AT_ONCE, true);
  private final Semaphore waiting = new Semaphore(WAITING_MAX);

  /**
   * Trusts the providers of {@code settings}. Nothing is fetched before the first token.
   *
   * @param register the credentials of a requester; may block and fail
   * @param trail receives who a requester is, once an hour; must not block
   */
  public OidcTokens(
      OidcSettings settings,
      Function<RequesterId, List<RegisteredCredential>> register,
      Consumer<Fact> trail,
      InstantSource clock) {
    this(settings, register, trail, clock, Ticker.systemTicker());
  }

  /** The same in a test's time. */
  OidcTokens(
      OidcSettings settings,
      Function<RequesterId, List<RegisteredCredential>> register,
      Consumer<Fact> trail,
      InstantSource clock,
      Ticker ticker) {
    Map<String, Trusted> trusted = new HashMap<>();
    for (OidcProvider provider : settings.providers()) {
      KeyDownload download = new KeyDownload(provider.jwksUri(), provider.trust());
      trusted.put(
          provider.issuer(),
          new Trusted(provider, new ProviderKeys(provider.name(), download::get, ticker::read)));
    }
    this.byIssuer = Map.copyOf(trusted);
    this.kept =
        trusted.isEmpty()
            ? null
            : new Kept(
                new Grants(register, clock, ticker),
                cache(ticker, VERIFIED_FOR, VERIFIED_MAX),
                cache(ticker, NOTED_FOR, VERIFIED_MAX),
                cache(ticker, REFUSED_FOR, REFUSED_MAX),
                cache(ticker, NOTED_FOR, VERIFIED_MAX));
    this.trail = trail;
    this.clock = clock;
  }

  private static <K, V> Cache<K, V> cache(Ticker ticker, Duration kept, long max) {
    return Caffeine.newBuilder()
        .ticker(ticker)
        .executor(Runnable::run)
        .expireAfterWrite(kept)
        .maximumSize(max)
        .<K, V>build();
  }

  /** Returns whether any provider is trusted. */
  public boolean isOn() {
    return !byIssuer.isEmpty();
  }

  /**
   * Returns the requester that presents a token.
   *
   * @param presented the client certificate of the connection
   * @throws ProblemException if the token is refused, cannot be checked now, or too many unknown
   *     ones are checked at once
   */
  public Requester authenticate(String token, Optional<X509Certificate> presented) {
    Kept all = Objects.requireNonNull(kept, "no provider is trusted");
    OctetString hash = sha256(token.getBytes(StandardCharsets.UTF_8));
    String known = all.refused().getIfPresent(hash);
    if (known != null) {
      throw problem(known);
    }
    Verified found = all.verified().getIfPresent(hash);
    try {
      if (found == null) {
        found = verify(token, all.onceVerified().getIfPresent(hash) != null);
        all.verified().put(hash, found);
        all.onceVerified().put(hash, Boolean.TRUE);
      } else {
        requireTimes(found.end(), found.begin(), found.provider());
      }
      requireBinding(found, presented);
    } catch (Jwt.Malformed e) {
      String fault = "the access token is refused: " + e.fault();
      if (found == null) {
        all.refused().put(hash, fault);
      }
      throw problem(fault);
    }
    return requester(found, all);
  }

  /** One that was verified before does not wait behind those that never were. */
  private Verified verify(String token, boolean isKnown) throws Jwt.Malformed {
    Jwt jwt = Jwt.read(token);
    requireAccessToken(jwt);
    Trusted by = jwt.text(List.of("iss")).map(byIssuer::get).orElse(null);
    if (by == null) {
      throw new Jwt.Malformed("its issuer (iss) is not one of sluice.oidc.providers");
    }
    OidcProvider provider = by.provider();
    JwtAlgorithm algorithm =
        JwtAlgorithm.of(jwt.algorithm())
            .filter(provider.algorithms()::contains)
            .orElseThrow(
                () ->
                    new Jwt.Malformed(
                        "its alg is not allowed for the provider " + provider.name()));
    if (jwt.texts(List.of("aud")).stream().noneMatch(provider.audiences()::contains)) {
      throw new Jwt.Malformed(
          "its audience (aud) is not this service: ask the provider for a token for it");
    }
    long end = jwt.seconds("exp").orElseThrow(() -> new Jwt.Malformed("it has no exp"));
    long begin =
        Math.max(
            jwt.seconds("nbf").orElse(Long.MIN_VALUE), jwt.seconds("iat").orElse(Long.MIN_VALUE));
    // Before the signature: what has ended costs none, and no download.
    requireTimes(end, begin, provider);
    KeySet.Key key =
        key(by, jwt, algorithm)
            .orElseThrow(
                () ->
                    new Jwt.Malformed(
                        "the provider " + provider.name() + " has no key for its kid and alg"));
    BooleanSupplier check = () -> algorithm.verifies(key.key(), jwt.signed(), jwt.signature());
    if (!(isKnown ? check.getAsBoolean() : inTurn(check))) {
      throw new Jwt.Malformed("its signature does not verify");
    }
    return said(jwt, provider, end, begin);
  }

  /**
   * ID tokens (OpenID Connect Core 3.1.3.6, 3.3.2.11) and logout tokens (Back-Channel Logout 2.4)
   * are JWT of the same provider with the same keys; of Keycloak they have a claim of their kind.
   */
  private static void requireAccessToken(Jwt jwt) throws Jwt.Malformed {
    for (String mark : NO_ACCESS_TOKEN) {
      if (jwt.claims().names().contains(mark)) {
        throw new Jwt.Malformed("it is an ID or logout token (" + mark + "): send an access token");
      }
    }
    if (jwt.text(List.of("typ")).filter(OTHER_KINDS::contains).isPresent()) {
      throw new Jwt.Malformed("its claim typ is not that of an access token: send one");
    }
  }

  private static Verified said(Jwt jwt, OidcProvider provider, long end, long begin)
      throws Jwt.Malformed {
    String subject =
        jwt.text(List.of("sub"))
            .filter(text -> !text.isEmpty() && text.length() <= SUBJECT_CHARACTERS_MAX)
            .orElseThrow(() -> new Jwt.Malformed("it has no sub of 1 to 255 characters"));
    RequesterId id =
        jwt.text(provider.requesterClaim())
            .flatMap(value -> RequesterNames.of(provider.requesterPrefix(), value))
            .orElseThrow(
                () ->
                    new Jwt.Malformed(
                        "its claim "
                            + String.join(".", provider.requesterClaim())
                            + " names no requester: it is missing, or too long for one"));
    Set<Role> roles = new HashSet<>();
    Set<ProfileName> profiles = new HashSet<>();
    for (OidcProvider.Rule rule : provider.rules()) {
      if (jwt.texts(rule.claim()).contains(rule.value())) {
        roles.addAll(rule.roles());
        rule.profiles().forEach(profile -> profiles.add(new ProfileName(profile)));
      }
    }
    return new Verified(
        provider, id, subject, Set.copyOf(roles), Set.copyOf(profiles), end, begin, binding(jwt));
  }

  private static Optional<KeySet.Key> key(Trusted by, Jwt jwt, JwtAlgorithm algorithm) {
    try {
      return by.keys().find(jwt.keyId(), algorithm);
    } catch (ProviderKeys.Unavailable e) {
      throw new ProblemException(
          ProblemType.IDENTITY_PROVIDER_UNAVAILABLE,
          "the key of the access token is not known here, and the provider "
              + by.provider().name()
              + " does not answer. Retry in "
              + PROVIDER_RETRY.toSeconds()
              + " s, or use a token of this CA or a registered client certificate",
          PROVIDER_RETRY,
          null);
    }
  }

  private boolean inTurn(BooleanSupplier work) {
    if (!waiting.tryAcquire()) {
      throw tooMany();
    }
    try {
      if (!turns.tryAcquire(RETRY.toMillis(), TimeUnit.MILLISECONDS)) {
        throw tooMany();
      }
      try {
        return work.getAsBoolean();
      } finally {
        turns.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw tooMany();
    } finally {
      waiting.release();
    }
  }

  /** RFC 7519 4.1.4 to 4.1.6, within the provider's skew. */
  private void requireTimes(long end, long begin, OidcProvider provider) throws Jwt.Malformed {
    long now = clock.instant().getEpochSecond();
    long skew = provider.clockSkew().toSeconds();
    if (now - skew >= end) {
      throw new Jwt.Malformed("it has expired: ask the provider for another");
    }
    if (begin > now + skew) {
      throw new Jwt.Malformed(
          "it is not valid yet (nbf, iat): the clocks of provider and node differ");
    }
  }

  private Requester requester(Verified found, Kept all) {
    Grants.Grant personal = all.grants().of(found.id());
    requireOwnName(found.provider(), found.id(), personal);
    Grants.Grant granted =
        personal.with(all.grants().of(new RequesterId(found.provider().grantsOf())));
    note(found, all);
    Set<Role> roles = new HashSet<>(found.roles());
    roles.retainAll(granted.roles());
    Set<ProfileName> profiles = new HashSet<>(found.profiles());
    profiles.retainAll(granted.profiles());
    return new Requester(
        found.id(),
        Authentication.BEARER_TOKEN,
        roles,
        profiles,
        new RequesterId(found.provider().grantsOf()));
  }

  /** No user of a provider becomes a requester that is registered here, unless it is so set. */
  private static void requireOwnName(OidcProvider provider, RequesterId id, Grants.Grant personal) {
    if (id.value().equals(provider.grantsOf())
        || (personal.isRegistered() && !provider.joinsRegistered())) {
      throw new ProblemException(
          ProblemType.UNAUTHENTICATED,
          id
              + " is registered here with a credential of its own, which is needed. Users of "
              + provider.name()
              + " are registered requesters only with joins-registered");
    }
    if (personal.isRegistered() && !personal.isStanding()) {
      throw new ProblemException(
          ProblemType.UNAUTHENTICATED,
          "the registration of " + id + " was revoked: have an administrator register it again");
    }
  }

  /** RFC 8705 3.1. A binding of another kind cannot be verified, so such a token is refused. */
  private static Optional<String> binding(Jwt jwt) throws Jwt.Malformed {
    if (!jwt.claims().names().contains("cnf")) {
      return Optional.empty();
    }
    Object binding = jwt.claims().members().get("cnf");
    if (!(binding instanceof Map<?, ?> members)
        || members.size() != 1
        || !(members.get("x5t#S256") instanceof String expected)) {
      throw new Jwt.Malformed("its cnf is not x5t#S256 alone: no other binding is supported");
    }
    return Optional.of(expected);
  }

  private static void requireBinding(Verified found, Optional<X509Certificate> presented)
      throws Jwt.Malformed {
    if (found.certificate().isPresent()
        && !presented.map(OidcTokens::thumbprint).equals(found.certificate())) {
      throw new Jwt.Malformed(
          "it is bound to a client certificate (cnf) that this connection does not present");
    }
  }

  private static String thumbprint(X509Certificate certificate) {
    try {
      return Base64Url.encode(sha256(certificate.getEncoded()).octets());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate that TLS has read has an encoding", e);
    }
  }

  /** Once an hour and node: requests name the requester, and this row who that is. */
  private void note(Verified found, Kept all) {
    String issuer = found.provider().issuer();
    List<String> who = List.of(issuer, found.subject(), found.id().value());
    if (all.noted().asMap().putIfAbsent(who, Boolean.TRUE) == null) {
      trail.accept(
          new Fact(
              AuditKind.OIDC_TOKEN,
              found.id().value(),
              Map.of("issuer", issuer, "subject", found.subject())));
    }
  }

  private static OctetString sha256(byte[] octets) {
    try {
      return OctetString.copyOf(MessageDigest.getInstance("SHA-256").digest(octets));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static ProblemException problem(String detail) {
    return new ProblemException(ProblemType.UNAUTHENTICATED, detail);
  }

  private static ProblemException tooMany() {
    return new ProblemException(
        ProblemType.SATURATED, "too many unknown access tokens at once", RETRY, null);
  }
}
