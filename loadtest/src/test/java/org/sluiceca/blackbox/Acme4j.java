package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.CertificateParsingException;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Certificate;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeServerException;
import org.shredzone.acme4j.provider.GenericAcmeProvider;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The client acme4j at the endpoints of a trial, whose root alone it trusts. */
final class Acme4j {

  /** How long a step may take that the server does by itself. */
  static final Duration LIMIT = Duration.ofSeconds(60);

  private final Trial trial;

  Acme4j(Trial trial) {
    this.trial = trial;
  }

  /** Its provider for any server, with the JDK's client as the provider makes it but for trust. */
  private static final class Trusting extends GenericAcmeProvider {

    private final Path root;

    Trusting(Path root) {
      this.root = root;
    }

    @Override
    public HttpClient createHttpClient(NetworkSettings settings) {
      return HttpClient.newBuilder()
          .followRedirects(HttpClient.Redirect.NORMAL)
          .connectTimeout(settings.getTimeout())
          .proxy(settings.getProxySelector())
          .sslContext(Api.context(root))
          .build();
    }
  }

  private JsonNode binding() {
    return JsonMapper.shared().readTree(trial.read("acme-eab.json"));
  }

  /** A session with the endpoint that needs a binding and no challenge. */
  Session session() {
    return session(binding().path("directory").asString());
  }

  /** A session with the endpoint that needs challenges and no binding. */
  Session challengeSession() {
    return session(binding().path("directory").asString().replace("/trial/", "/trial-challenge/"));
  }

  private Session session(String directory) {
    return new Session(URI.create(directory), new Trusting(trial.data().resolve("root.pem")));
  }

  /** An account to make, with the trial's binding. */
  AccountBuilder bound(KeyPair key) {
    return new AccountBuilder()
        .useKeyPair(key)
        .agreeToTermsOfService()
        .addEmail("ops@corp.example")
        .withKeyIdentifier(binding().path("kid").asString(), binding().path("hmacKey").asString());
  }

  /** A new account by the trial's binding. */
  Login registered() throws AcmeException {
    return bound(AcmeClient.newKey()).createLogin(session());
  }

  /** A new account that has to prove its names. */
  Login unbound() throws AcmeException {
    return new AccountBuilder()
        .useKeyPair(AcmeClient.newKey())
        .agreeToTermsOfService()
        .createLogin(challengeSession());
  }

  /** Finalizes an order that is ready; returns its certificate. */
  static Certificate issued(Order order, KeyPair key) throws Exception {
    order.execute(key);
    assertThat(order.waitForCompletion(LIMIT)).as("%s", order.getError()).isEqualTo(Status.VALID);
    return order.getCertificate();
  }

  /** The names that a certificate is for. */
  static List<String> names(Certificate certificate) throws CertificateParsingException {
    return certificate.getCertificate().getSubjectAlternativeNames().stream()
        .map(name -> String.valueOf(name.get(1)))
        .toList();
  }

  /** Demands that the server refuses with this type; returns what acme4j makes of the answer. */
  static AcmeServerException refused(String type, ThrowingCallable call) {
    AcmeServerException refusal = catchThrowableOfType(AcmeServerException.class, call);
    assertThat(refusal).as("refused with " + type).isNotNull();
    assertThat(refusal.getType())
        .as("%s", refusal.getProblem())
        .isEqualTo(URI.create("urn:ietf:params:acme:error:" + type));
    assertThat(refusal.getProblem().getDetail()).isPresent();
    return refusal;
  }
}
