package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node that trusts an identity provider: its users enroll within what was granted. */
class OidcIT {

  private static final String ISSUER = "https://id.example.com";
  private static final KeyPair KEY = key();
  private static final Path FOLDER = TrialExtension.newFolder();
  private static final HttpsServer PROVIDER = provider();

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder ->
              Trial.Options.nodes(1)
                  .with(
                      Map.of(
                          "SLUICE_OIDC_PROVIDERS_0_NAME",
                          "corp",
                          "SLUICE_OIDC_PROVIDERS_0_ISSUER",
                          ISSUER,
                          "SLUICE_OIDC_PROVIDERS_0_JWKSURI",
                          "https://localhost:" + PROVIDER.getAddress().getPort() + "/keys",
                          "SLUICE_OIDC_PROVIDERS_0_TRUST",
                          FOLDER.resolve("provider.pem").toString(),
                          "SLUICE_OIDC_PROVIDERS_0_AUDIENCES",
                          "sluice",
                          "SLUICE_OIDC_PROVIDERS_0_GRANTSOF",
                          "oidc-users",
                          "SLUICE_OIDC_PROVIDERS_0_RULES_0_CLAIM",
                          "groups",
                          "SLUICE_OIDC_PROVIDERS_0_RULES_0_VALUE",
                          "pki",
                          "SLUICE_OIDC_PROVIDERS_0_RULES_0_ROLES",
                          "REQUESTER,ADMIN",
                          "SLUICE_OIDC_PROVIDERS_0_RULES_0_PROFILES",
                          "tls-server,tls-client")));

  /** Docs: 5 s; the rest is for a loaded machine. */
  private static final Duration WITHIN = Duration.ofSeconds(20);

  private static KeyPair key() {
    try {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static HttpsServer provider() {
    try {
      HttpsServer server =
          HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(tls()));
      byte[] answer = keys();
      server.createContext(
          "/keys",
          exchange -> {
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] keys() {
    byte[] spki = KEY.getPublic().getEncoded();
    String x = base64(Arrays.copyOfRange(spki, spki.length - 32, spki.length));
    Map<String, String> key = Map.of("kty", "OKP", "crv", "Ed25519", "kid", "a", "x", x);
    return Answer.json(Map.of("keys", List.of(key))).getBytes(StandardCharsets.UTF_8);
  }

  private static void openssl(String words, Object... files) {
    Program.of(
            Stream.concat(Stream.of(("openssl " + words).split(" ")), Stream.of(files)).toArray())
        .run()
        .ok();
  }

  private static SSLContext tls() throws IOException {
    Path key = FOLDER.resolve("provider.key");
    Path root = FOLDER.resolve("provider.pem");
    Path store = FOLDER.resolve("provider.p12");
    openssl(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -days 1"
            + " -addext subjectAltName=DNS:localhost",
        "-keyout",
        key,
        "-out",
        root);
    openssl("pkcs12 -export -passout pass:", "-inkey", key, "-in", root, "-out", store);
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, new char[0]);
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, new char[0]);
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(managers.getKeyManagers(), null, null);
      return tls;
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  @AfterAll
  static void stop() {
    PROVIDER.stop(0);
    Trial.delete(FOLDER);
  }

  private static String base64(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }

  private static String token(String subject, Map<String, Object> more) {
    Map<String, Object> claims = new HashMap<>(more);
    claims.putIfAbsent("iss", ISSUER);
    claims.putIfAbsent("aud", "sluice");
    claims.put("sub", subject);
    claims.put("groups", List.of("pki"));
    claims.put("exp", Instant.now().plusSeconds(600).getEpochSecond());
    String signed =
        base64("{\"alg\":\"EdDSA\",\"kid\":\"a\"}".getBytes(StandardCharsets.US_ASCII))
            + "."
            + base64(Answer.json(claims).getBytes(StandardCharsets.UTF_8));
    try {
      Signature signer = Signature.getInstance("Ed25519");
      signer.initSign(KEY.getPrivate());
      signer.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signed + "." + base64(signer.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static Api user(String token) {
    return TRIAL.trial().api(0, "admin").anonymous().with(Api.bearer(token));
  }

  private static String grant() {
    return "/v1/credentials/"
        + TRIAL
            .trial()
            .api(0, "admin")
            .postJson(
                "/v1/credentials",
                Map.of(
                    "requester",
                    "oidc-users",
                    "roles",
                    List.of("REQUESTER", "ADMIN"),
                    "profiles",
                    List.of("tls-server")))
            .is(201)
            .json()
            .path("id")
            .asString();
  }

  @Test
  void user_withinTheGrant_enrollsUntilItIsRevoked() {
    String grant = grant();
    Api alice = user(token("alice", Map.of()));
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "oidc.example.com");
    Poll.until(
        "the grant is known",
        WITHIN,
        () -> alice.enroll("tls-server", csr.pemBytes()).status() == 201);

    // What was accepted is issued: the grant that users share counts when an order is signed, too.
    String order =
        alice
            .with("Prefer", "respond-async")
            .enroll("tls-server", csr.pemBytes())
            .is(202)
            .header("Location");
    Poll.until(
        "the order is issued",
        WITHIN,
        () -> alice.get(order).is(200).json().path("status").asString().equals("issued"));

    // Not granted, and not given by a provider.
    alice.enroll("tls-client", csr.pemBytes()).isProblem(403, "/profile-not-allowed");
    alice.get("/v1/credentials").isProblem(403, "/forbidden");
    // A certificate of the connection neither helps nor harms.
    user(token("bob", Map.of("aud", "other")))
        .get("/v1/capacity")
        .isProblem(401, "/unauthenticated");
    String token = token("alice", Map.of());
    user(token.substring(0, token.lastIndexOf('.') + 1) + "A".repeat(86))
        .get("/v1/capacity")
        .isProblem(401, "/unauthenticated");

    TRIAL.trial().api(0, "admin").delete(grant).is(204);
    Poll.until(
        "nothing is granted",
        WITHIN,
        () -> alice.enroll("tls-server", csr.pemBytes()).status() == 403);
  }

  @Test
  void boundToken_onlyWithItsCertificate() throws GeneralSecurityException {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "oidc-client");
    String chain =
        TRIAL
            .trial()
            .enroller()
            .with("Accept", "application/pem-certificate-chain")
            .enroll("tls-client", csr.pemBytes())
            .is(201)
            .text();
    String thumbprint =
        base64(
            MessageDigest.getInstance("SHA-256")
                .digest(Answer.certificate(Api.ascii(chain)).getEncoded()));
    String token = token("machine", Map.of("cnf", Map.of("x5t#S256", thumbprint)));

    Api.trusting(
            TRIAL.trial().https(0),
            TRIAL.trial().data().resolve("root.pem"),
            csr.pkcs12(TRIAL.trial().folder(), chain))
        .with(Api.bearer(token))
        .get("/v1/capacity")
        .is(200);
    assertThat(user(token).get("/v1/capacity").isProblem(401, "/unauthenticated").text())
        .contains("bound to a client certificate");
  }
}
