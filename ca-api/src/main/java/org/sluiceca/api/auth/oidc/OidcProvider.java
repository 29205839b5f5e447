package org.sluiceca.api.auth.oidc;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An identity provider whose access tokens count, and what its claims mean here.
 *
 * @param name in names of requesters, problems and logs
 * @param issuer the exact value of {@code iss}
 * @param jwksUri where its public keys are, {@code https}
 * @param audiences values of {@code aud} of which one must be there
 * @param algorithms those that its tokens may be signed with
 * @param clockSkew by how much its clock may differ
 * @param requesterClaim the path of the claim that names the requester; must not be reassigned
 * @param requesterPrefix what the requester's id begins with, so that it is no other's
 * @param joinsRegistered whether its users are the requesters of the same id that are registered
 * @param grantsOf a registered requester: what it is granted bounds every user of the provider
 * @param rules which claims give which roles and profiles
 * @param trust a PEM file of the roots for {@code jwksUri}; the JDK's without it
 */
public record OidcProvider(
    String name,
    String issuer,
    URI jwksUri,
    Set<String> audiences,
    @DefaultValue({"RS256", "PS256", "ES256", "EDDSA"}) Set<JwtAlgorithm> algorithms,
    @DefaultValue("30s") Duration clockSkew,
    @DefaultValue("sub") List<String> requesterClaim,
    @Nullable String requesterPrefix,
    @DefaultValue("false") boolean joinsRegistered,
    String grantsOf,
    @DefaultValue List<Rule> rules,
    @Nullable Path trust) {

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,15}");
  private static final Pattern PREFIX = Pattern.compile("([a-z0-9][a-z0-9.-]{0,23})?");
  private static final Duration SKEW_MAX = Duration.ofSeconds(60);
  private static final int RULES_MAX = 256;
  private static final String RESERVED = "sluice.";

  /**
   * What a value of a claim gives.
   *
   * @param claim the path of the claim: a text, a list of texts, or {@code scope}'s words
   * @param value the text that must be there
   */
  public record Rule(
      List<String> claim,
      String value,
      @DefaultValue Set<Role> roles,
      @DefaultValue Set<String> profiles) {

    /** Refuses a rule of which the half is missing. */
    public Rule {
      claim = List.copyOf(required("rules.claim", claim));
      value = required("rules.value", value);
      roles = Set.copyOf(roles);
      profiles = Set.copyOf(profiles);
      for (String profile : profiles) {
        ProfileName _ = new ProfileName(profile);
      }
    }
  }

  /** Refuses what is missing or out of range, naming the setting. */
  public OidcProvider {
    name = required("name", name);
    issuer = required("issuer", issuer);
    jwksUri = required("jwks-uri", jwksUri);
    audiences = Set.copyOf(required("audiences", audiences));
    algorithms = Set.copyOf(algorithms);
    requesterClaim = List.copyOf(requesterClaim);
    requesterPrefix = Objects.requireNonNullElse(requesterPrefix, name + ".");
    grantsOf = new RequesterId(required("grants-of", grantsOf)).value();
    rules = List.copyOf(rules);
    check(NAME.matcher(name).matches(), "name", "1 to 16 of a-z 0-9 -");
    check(
        "https".equals(jwksUri.getScheme()) && jwksUri.getHost() != null,
        "jwks-uri",
        "a URL that begins with https://");
    check(!audiences.isEmpty(), "audiences", "what aud has in tokens for this service");
    check(!algorithms.isEmpty(), "algorithms", JwtAlgorithm.names());
    check(!clockSkew.isNegative() && clockSkew.compareTo(SKEW_MAX) <= 0, "clock-skew", "0s to 60s");
    check(!requesterClaim.isEmpty(), "requester-claim", "the path of a claim");
    check(
        PREFIX.matcher(requesterPrefix).matches() && !requesterPrefix.startsWith(RESERVED),
        "requester-prefix",
        "at most 24 of a-z 0-9 . - that do not begin with " + RESERVED);
    check(
        requesterPrefix.isEmpty() || !grantsOf.startsWith(requesterPrefix),
        "grants-of",
        "a requester that does not begin with the requester-prefix, as users do");
    check(rules.size() <= RULES_MAX, "rules", "at most " + RULES_MAX + " of them");
  }

  @Override
  public String requesterPrefix() {
    return Objects.requireNonNull(requesterPrefix);
  }

  /** Returns whether an id is the product's own, which no user can have. */
  static boolean isReserved(String id) {
    return id.startsWith(RESERVED);
  }

  private static <T> T required(String setting, @Nullable T value) {
    check(value != null && !value.toString().isEmpty(), setting, "what it is");
    return Objects.requireNonNull(value);
  }

  private static void check(boolean isGood, String setting, String wanted) {
    if (!isGood) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sluice.oidc.providers: %s is missing or out of range; set it to %s",
              setting,
              wanted));
    }
  }
}
