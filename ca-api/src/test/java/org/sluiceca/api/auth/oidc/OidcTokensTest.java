package org.sluiceca.api.auth.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.OctetString;

/**
 * Which access tokens count, and what their users may do; with a provider that answers by HTTPS.
 */
class OidcTokensTest {

  private static final String ISSUER = "https://id.example.com/realm";
  private static final RSAKey RSA = rsa("rsa");
  private static final ECKey EC = ec("ec");

  private final AtomicLong nanos = new AtomicLong();
  private final Map<RequesterId, List<RegisteredCredential>> register = new HashMap<>();
  private final List<Fact> facts = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-29T12:00:00Z");

  private final TestProvider provider;
  private OidcTokens tokens;

  OidcTokensTest(@TempDir Path folder) {
    provider = new TestProvider(folder);
    provider.publish(RSA.toPublicJWK(), EC.toPublicJWK());
    register("oidc-users", Set.of(Role.REQUESTER, Role.AUDITOR, Role.ADMIN), "tls-server");
    tokens = tokens(false);
  }

  @AfterEach
  void close() {
    provider.close();
  }

  private static RSAKey rsa(String id) {
    try {
      return new RSAKeyGenerator(2048).keyID(id).generate();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  private static ECKey ec(String id) {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  private OidcTokens tokens(boolean joinsRegistered) {
    return new OidcTokens(
        new OidcSettings(List.of(settings(provider.root, joinsRegistered))),
        id -> register.getOrDefault(id, List.of()),
        facts::add,
        () -> now,
        nanos::get);
  }

  private OidcProvider settings(@Nullable Path trust, boolean joinsRegistered) {
    return new OidcProvider(
        "corp",
        ISSUER,
        provider.keysUri(),
        Set.of("sluice"),
        Set.of(JwtAlgorithm.RS256, JwtAlgorithm.PS256, JwtAlgorithm.ES256, JwtAlgorithm.EDDSA),
        Duration.ofSeconds(30),
        List.of("preferred_username"),
        null,
        joinsRegistered,
        "oidc-users",
        List.of(
            new OidcProvider.Rule(
                List.of("groups"), "pki", Set.of(Role.REQUESTER), Set.of("tls-server", "sub-ca")),
            new OidcProvider.Rule(
                List.of("realm_access", "roles"), "admin", Set.of(Role.ADMIN), Set.of()),
            new OidcProvider.Rule(List.of("scope"), "audit", Set.of(Role.AUDITOR), Set.of())),
        trust);
  }

  private void register(String requester, Set<Role> roles, String... profiles) {
    register.put(new RequesterId(requester), List.of(credential(requester, roles, null, profiles)));
  }

  private static RegisteredCredential credential(
      String requester, Set<Role> roles, @Nullable Instant revokedAt, String... profiles) {
    return until(Instant.EPOCH, requester, roles, revokedAt, profiles);
  }

  private static RegisteredCredential until(
      Instant expiresAt,
      String requester,
      Set<Role> roles,
      @Nullable Instant revokedAt,
      String... profiles) {
    return new RegisteredCredential(
        new UUID(0, 0),
        new RequesterId(requester),
        Kind.TOKEN,
        OctetString.copyOf(new byte[32]),
        // As a rule it has expired: what ends a grant is its revocation.
        new Grant(
            roles,
            Set.of(Arrays.stream(profiles).map(ProfileName::new).toArray(ProfileName[]::new)),
            expiresAt),
        Instant.EPOCH,
        Optional.ofNullable(revokedAt));
  }

  private JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience("sluice")
        .subject("4711")
        .claim("preferred_username", "alice")
        .claim("groups", List.of("other", "pki"))
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plusSeconds(300)));
  }

  private String token() {
    return TestProvider.signed(JWSAlgorithm.RS256, RSA, claims().build());
  }

  private Requester accepted(String token) {
    return tokens.authenticate(token, Optional.empty());
  }

  private ProblemException refused(String token) {
    return catchThrowableOfType(ProblemException.class, () -> accepted(token));
  }

  private void assertRefused(String token, String because) {
    ProblemException problem = refused(token);
    assertThat(problem).as(because).isNotNull();
    assertThat(problem.type()).isEqualTo(ProblemType.UNAUTHENTICATED);
    assertThat(problem.detail()).contains(because);
  }

  private void assertUnavailable(String token) {
    ProblemException problem = refused(token);
    assertThat(problem.type()).isEqualTo(ProblemType.IDENTITY_PROVIDER_UNAVAILABLE);
    assertThat(problem.retryAfter()).isPresent();
    assertThat(problem.detail()).contains("corp does not answer");
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void token_ofEachAlgorithm_requesterWithinWhatIsGranted() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] spki = pair.getPublic().getEncoded();
    String x = base64(Arrays.copyOfRange(spki, spki.length - 32, spki.length));
    provider.publish(
        RSA.toPublicJWK(),
        EC.toPublicJWK(),
        JWK.parse(Map.of("kty", "OKP", "crv", "Ed25519", "kid", "ed", "x", x)));

    for (String token :
        List.of(
            token(),
            TestProvider.signed(JWSAlgorithm.PS256, RSA, claims().build()),
            TestProvider.signed(JWSAlgorithm.ES256, EC, claims().build()),
            ed25519(pair, claims().build()))) {
      Requester requester = accepted(token);
      assertThat(requester.id().value()).isEqualTo("corp.alice");
      assertThat(requester.roles()).containsExactly(Role.REQUESTER);
      // The provider says sub-ca as well, which no administrator has granted.
      assertThat(requester.profiles()).containsExactly(new ProfileName("tls-server"));
    }
    assertThat(provider.downloads).hasValue(1);
    assertThat(facts)
        .singleElement()
        .satisfies(
            fact -> {
              assertThat(fact.actor()).isEqualTo("corp.alice");
              assertThat(fact.details()).isEqualTo(Map.of("issuer", ISSUER, "subject", "4711"));
            });
  }

  private static String base64(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }

  private static String base64(String text) {
    return base64(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String ed25519(KeyPair pair, JWTClaimsSet claims) throws GeneralSecurityException {
    String signed = base64("{\"alg\":\"EdDSA\",\"kid\":\"ed\"}") + "." + base64(claims.toString());
    Signature signer = Signature.getInstance("Ed25519");
    signer.initSign(pair.getPrivate());
    signer.update(signed.getBytes(StandardCharsets.US_ASCII));
    return signed + "." + base64(signer.sign());
  }

  @Test
  void token_forged_refused() throws Exception {
    // By another key under the same name; with another payload; of none; by HMAC with the key.
    assertRefused(
        TestProvider.signed(JWSAlgorithm.RS256, rsa("rsa"), claims().build()), "does not verify");
    String[] parts = token().split("\\.", -1);
    assertRefused(
        parts[0]
            + "."
            + base64(claims().claim("preferred_username", "bob").build().toString())
            + "."
            + parts[2],
        "does not verify");
    assertRefused(parts[0] + "." + parts[1] + ".", "does not verify");
    assertRefused(new PlainJWT(claims().build()).serialize(), "alg is not allowed");
    assertRefused(
        base64("{\"alg\":\"none\",\"kid\":\"rsa\"}") + "." + parts[1] + ".", "alg is not allowed");
    SignedJWT hmac =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa").build(), claims().build());
    hmac.sign(new MACSigner(RSA.toRSAPublicKey().getEncoded()));
    assertRefused(hmac.serialize(), "alg is not allowed");
    // A key of RSA is none for ES256, whatever its name.
    assertRefused(
        TestProvider.signed(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("rsa").build(), EC, claims().build()),
        "no key for its kid and alg");
    assertThat(accepted(token()).id().value()).isEqualTo("corp.alice");
  }

  @Test
  void token_ofAlgorithmThatIsNotAllowed_refusedWithoutADownload() {
    assertRefused(
        TestProvider.signed(JWSAlgorithm.RS384, RSA, claims().build()), "alg is not allowed");
    assertThat(provider.downloads).hasValue(0);
  }

  @Test
  void token_forOthersOrByOthers_refusedWithoutADownload() {
    for (JWTClaimsSet claims :
        List.of(
            claims().audience("another").build(),
            claims().audience(List.of()).build(),
            claims().issuer(ISSUER + "/").build(),
            claims().issuer(null).build())) {
      assertThat(refused(TestProvider.signed(JWSAlgorithm.RS256, RSA, claims)).type())
          .isEqualTo(ProblemType.UNAUTHENTICATED);
    }
    assertThat(provider.downloads).hasValue(0);
    assertThat(
            accepted(
                    TestProvider.signed(
                        JWSAlgorithm.RS256,
                        RSA,
                        claims().audience(List.of("another", "sluice")).build()))
                .roles())
        .isNotEmpty();
  }

  @Test
  void token_times_withinTheSkewAlone() {
    String token =
        TestProvider.signed(
            JWSAlgorithm.RS256,
            RSA,
            claims().notBeforeTime(Date.from(now.plusSeconds(31))).build());
    assertRefused(token, "not valid yet");
    now = now.plusSeconds(1);
    pass(Duration.ofSeconds(6));
    assertThat(accepted(token).roles()).isNotEmpty();
    now = now.plusSeconds(300 + 28);
    assertThat(accepted(token).roles()).isNotEmpty();

    // It is remembered, and ends all the same.
    now = now.plusSeconds(1);
    assertRefused(token, "has expired");
    assertRefused(
        TestProvider.signed(
            JWSAlgorithm.RS256, RSA, claims().issueTime(Date.from(now.plusSeconds(31))).build()),
        "not valid yet");
    assertRefused(
        TestProvider.signed(JWSAlgorithm.RS256, RSA, claims().expirationTime(null).build()),
        "no exp");
  }

  @Test
  void token_tooLongOrNoJwt_refused() {
    assertRefused("a".repeat(Jwt.CHARACTERS_MAX) + ".b.c", "at most 8192");
    assertRefused("a.b", "no signed JWT");
    assertRefused("a.b.c.d.e", "no signed JWT");
    assertRefused("!.b.c", "base64url");
    assertRefused(base64("[]") + "." + base64("{}") + ".", "JSON is not acceptable");
    assertRefused(
        base64("{\"alg\":\"RS256\",\"alg\":\"none\"}") + "." + base64("{}") + ".", "name twice");
    assertRefused(
        TestProvider.signed(
            new JWSHeader.Builder(JWSAlgorithm.RS256)
                .keyID("rsa")
                .type(new JOSEObjectType("logout+jwt"))
                .build(),
            RSA,
            claims().build()),
        "send an access token");
    assertRefused(
        base64("{\"alg\":\"RS256\",\"crit\":[\"x\"]}") + "." + base64("{}") + ".", "crit");
  }

  @Test
  void keys_rotated_fetchedOnceForTheUnknownOne() {
    assertThat(accepted(token()).roles()).isNotEmpty();
    RSAKey next = rsa("next");
    provider.publish(next.toPublicJWK());
    String fresh = TestProvider.signed(JWSAlgorithm.RS256, next, claims().build());

    // Made-up names of keys cause no download but one in ten seconds.
    for (int i = 0; i < 50; i++) {
      assertRefused(
          TestProvider.signed(JWSAlgorithm.RS256, rsaNamed("made-up-" + i), claims().build()),
          "no key");
    }
    assertThat(provider.downloads).hasValue(1);
    pass(Duration.ofSeconds(11));

    assertThat(accepted(fresh).roles()).isNotEmpty();
    assertThat(provider.downloads).hasValue(2);
    // The old one was withdrawn: what was remembered ends within a minute.
    pass(Duration.ofSeconds(61));
    assertRefused(token(), "no key");
  }

  private static RSAKey rsaNamed(String id) {
    return new RSAKey.Builder(RSA).keyID(id).build();
  }

  @Test
  void provider_down_knownKeysGoOnAndOthersGet503() {
    String token = token();
    provider.status = 500;
    assertUnavailable(token);
    // Nothing of that is remembered as a refusal, nor asked for again at once.
    assertUnavailable(token);
    assertThat(provider.downloads).hasValue(1);
    provider.status = 200;
    pass(Duration.ofSeconds(11));
    assertThat(accepted(token).roles()).isNotEmpty();

    provider.close();
    pass(Duration.ofHours(1));
    assertThat(accepted(token).roles()).isNotEmpty();
    assertThat(accepted(TestProvider.signed(JWSAlgorithm.ES256, EC, claims().build())).roles())
        .isNotEmpty();
    pass(Duration.ofSeconds(11));
    assertUnavailable(TestProvider.signed(JWSAlgorithm.RS256, rsa("next"), claims().build()));
    // After a day nothing is known of its keys.
    pass(Duration.ofHours(24));
    assertUnavailable(token);
  }

  @Test
  void provider_answersTooMuchOrRedirectsOrIsNotTrusted_noKeys() {
    provider.answer =
        ("{\"keys\":[],\"x\":\"" + "a".repeat(70_000) + "\"}").getBytes(StandardCharsets.US_ASCII);
    assertUnavailable(token());
    pass(Duration.ofSeconds(11));
    provider.publish(RSA.toPublicJWK());
    provider.status = 302;
    assertUnavailable(token());
    pass(Duration.ofSeconds(11));
    provider.answer = "[]".getBytes(StandardCharsets.US_ASCII);
    provider.status = 200;
    assertUnavailable(token());

    // The root is in no JDK's store.
    OidcTokens strict =
        new OidcTokens(
            new OidcSettings(List.of(settings(null, false))),
            id -> List.of(),
            facts::add,
            () -> now,
            nanos::get);
    assertThat(
            catchThrowableOfType(
                    ProblemException.class, () -> strict.authenticate(token(), Optional.empty()))
                .type())
        .isEqualTo(ProblemType.IDENTITY_PROVIDER_UNAVAILABLE);
  }

  @Test
  void keys_weakOrForEncryption_notUsed() throws Exception {
    RSAKey weak = new RSAKeyGenerator(1024, true).keyID("weak").generate();
    provider.publish(
        weak.toPublicJWK(),
        new RSAKey.Builder(RSA.toPublicJWK())
            .keyUse(com.nimbusds.jose.jwk.KeyUse.ENCRYPTION)
            .build());

    assertRefused(token(), "no key");
  }

  @Test
  void token_boundToACertificate_countsWithItAlone() throws Exception {
    X509Certificate certificate = certificate(1);
    String thumbprint =
        base64(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    String bound =
        TestProvider.signed(
            JWSAlgorithm.RS256, RSA, claims().claim("cnf", Map.of("x5t#S256", thumbprint)).build());

    assertThat(tokens.authenticate(bound, Optional.of(certificate)).roles()).isNotEmpty();
    // Remembered, and asked with each request.
    assertRefused(bound, "bound to a client certificate");
    assertThat(
            catchThrowableOfType(
                    ProblemException.class,
                    () -> tokens.authenticate(bound, Optional.of(certificate(2))))
                .detail())
        .contains("bound to a client certificate");
    assertThat(tokens.authenticate(bound, Optional.of(certificate)).roles()).isNotEmpty();
    for (Object cnf :
        List.of(Map.of("jkt", "x"), Map.of("x5t#S256", thumbprint, "jkt", "x"), Map.of(), "text")) {
      assertRefused(
          TestProvider.signed(JWSAlgorithm.RS256, RSA, claims().claim("cnf", cnf).build()), "cnf");
    }
  }

  private static X509Certificate certificate(long seed) throws Exception {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(
                    new Revocable(seed).withoutRevocation().certificate().orElseThrow().encoded()));
  }

  /** A name at the provider is no way to another's rights here. */
  @Test
  void user_withTheIdOfARegisteredRequester_refusedUnlessItIsSoSet() {
    register("corp.alice", Set.of(Role.ADMIN), "sub-ca");
    String token =
        TestProvider.signed(
            JWSAlgorithm.RS256,
            RSA,
            claims().claim("realm_access", Map.of("roles", List.of("admin"))).build());
    assertRefused(token, "corp.alice is registered here");

    tokens = tokens(true);
    // A role that decides about others ends with its registration's own time, as elsewhere.
    assertThat(accepted(token).roles()).containsExactly(Role.REQUESTER);
    register.put(
        new RequesterId("corp.alice"),
        List.of(until(now.plusSeconds(3600), "corp.alice", Set.of(Role.ADMIN), null, "sub-ca")));
    pass(Duration.ofSeconds(6));
    Requester joined = accepted(token);
    assertThat(joined.roles()).containsExactlyInAnyOrder(Role.ADMIN, Role.REQUESTER);
    assertThat(joined.profiles())
        .containsExactlyInAnyOrder(new ProfileName("tls-server"), new ProfileName("sub-ca"));

    register.put(
        new RequesterId("corp.alice"),
        List.of(credential("corp.alice", Set.of(Role.ADMIN), Instant.EPOCH)));
    pass(Duration.ofSeconds(6));
    assertRefused(token, "registration of corp.alice was revoked");
  }

  @Test
  void user_whomTheProviderCallsAdmin_isNoneByTheSharedGrant() {
    Requester requester =
        accepted(
            TestProvider.signed(
                JWSAlgorithm.RS256,
                RSA,
                claims()
                    .claim("realm_access", Map.of("roles", List.of("admin")))
                    .claim("scope", "openid audit")
                    .build()));

    assertThat(requester.roles()).containsExactlyInAnyOrder(Role.REQUESTER, Role.AUDITOR);
  }

  @Test
  void grant_revoked_noUserMayDoAnything() {
    String token = token();
    assertThat(accepted(token).roles()).isNotEmpty();

    register.put(
        new RequesterId("oidc-users"),
        List.of(credential("oidc-users", Set.of(Role.REQUESTER), Instant.EPOCH, "tls-server")));
    pass(Duration.ofSeconds(6));

    assertThat(accepted(token).roles()).isEmpty();
    assertThat(accepted(token).profiles()).isEmpty();
  }

  /** One grant is one share of the line, however many names its provider has. */
  @Test
  void users_ofAProvider_haveOneQuotaTogether() {
    String bob =
        TestProvider.signed(
            JWSAlgorithm.RS256, RSA, claims().claim("preferred_username", "bob").build());

    assertThat(accepted(token()).account().value()).isEqualTo("oidc-users");
    assertThat(accepted(bob).account()).isEqualTo(accepted(token()).account());
    assertThat(accepted(bob).id()).isNotEqualTo(accepted(token()).id());
  }

  /** They are signed with the same keys. */
  @Test
  void token_ofAnotherKind_refusedBeforeAnyKeyIsFetched() {
    for (JWTClaimsSet.Builder other :
        List.of(
            claims().claim("at_hash", "x"),
            claims().claim("c_hash", "x"),
            claims().claim("events", Map.of()),
            claims().claim("typ", "ID"))) {
      assertRefused(TestProvider.signed(JWSAlgorithm.RS256, RSA, other.build()), "access token");
    }
    assertThat(provider.downloads).hasValue(0);
  }

  /** A flood of made-up tokens holds up tokens that are not known yet, and no others. */
  @Test
  void token_verifiedBefore_waitsForNoTurn() {
    String token = token();
    assertThat(accepted(token).roles()).isNotEmpty();
    pass(OidcTokens.VERIFIED_FOR.plusSeconds(1));

    // An interrupted thread gets no turn.
    Thread.currentThread().interrupt();
    Requester again = accepted(token);
    ProblemException unknown =
        refused(
            TestProvider.signed(
                JWSAlgorithm.RS256, RSA, claims().claim("preferred_username", "bob").build()));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(again.roles()).isNotEmpty();
    assertThat(unknown.type()).isEqualTo(ProblemType.SATURATED);
  }

  /** A day of silence would keep a stolen key alive. */
  @Test
  void key_withdrawnWhileNoTokenCame_endsWithTheFirstOne() {
    assertThat(accepted(token()).roles()).isNotEmpty();
    provider.publish(EC.toPublicJWK());
    pass(Duration.ofHours(23));

    assertRefused(token(), "no key");
  }

  @Test
  void names_ofOtherCharacters_areNeverAnothers() {
    assertThat(RequesterNames.of("corp.", "Alice@x.org").orElseThrow().value())
        .isEqualTo("corp._41lice_40x.org");
    assertThat(RequesterNames.of("corp.", "_41lice_40x.org").orElseThrow().value())
        .isEqualTo("corp._5f41lice_5f40x.org");
    assertThat(RequesterNames.of("", "sluice.node")).isEmpty();
    assertThat(RequesterNames.of("corp.", "")).isEmpty();
    assertThat(RequesterNames.of("corp.", "A".repeat(30))).isEmpty();
    assertRefused(
        TestProvider.signed(
            JWSAlgorithm.RS256, RSA, claims().claim("preferred_username", null).build()),
        "names no requester");
  }
}
