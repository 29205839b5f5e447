package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.sluiceca.blackbox.RootSigner.Certified;

/**
 * Which client certificates count: one whose key is registered, and whose path is valid by RFC 5280
 * 6. Each case is registered, so that only its path can be what is wrong with it.
 */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class ClientCertificateIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** Docs: 5 s; the rest is for a loaded machine. */
  private static final Duration WITHIN = Duration.ofSeconds(20);

  private static final String CLIENT =
      "cn = \"machine\"\nsigning_key\ntls_www_client\nexpiration_days = 9\n";

  private static final String CA =
      "cn = \"Sub CA\"\nca\ncert_signing_key\ncrl_signing_key\nexpiration_days = 9\n";

  /** What the node makes of a certificate. */
  private enum Outcome {
    ACCEPTED,
    /** The handshake succeeds, and the request is refused. */
    UNAUTHENTICATED,
    /** TLS ends with an alert. */
    NO_HANDSHAKE
  }

  private record Case(String title, Outcome outcome, Certified certified, boolean isRegistered) {
    Case(String title, Outcome outcome, Certified certified) {
      this(title, outcome, certified, true);
    }
  }

  @TestFactory
  Stream<DynamicTest> clientCertificate_countsByItsPathAndItsKey() {
    RootSigner root = new RootSigner(TRIAL.trial());
    return Stream.of(accepted(root), ofTheLeaf(root), ofThePath(root))
        .flatMap(List::stream)
        .map(c -> DynamicTest.dynamicTest(c.title(), () -> judge(c)));
  }

  /** Planted before: it signed in as ADMIN for as long as its key was registered. */
  @Test
  void revokedForCompromise_refusedWithinSeconds() {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "compromised-admin");
    Enrolled first = Enrolled.of(csr);
    Api another = Enrolled.of(csr).client();
    register(first.chain(), "ADMIN");
    Api client = first.client();
    client.get("/v1/credentials").is(200);
    another.get("/v1/credentials").is(200);

    first.revoke("keyCompromise");

    Poll.until("it is refused", WITHIN, () -> client.get("/v1/credentials").status() == 401);
    // The registration is the key's, so every certificate of it.
    Poll.until(
        "another one is refused", WITHIN, () -> another.get("/v1/credentials").status() == 401);
    TRIAL
        .trial()
        .api(0, "admin")
        .postJson(
            "/v1/credentials",
            Map.of("requester", "machine", "roles", List.of("ADMIN"), "certificate", first.chain()))
        .isProblem(422, "/compromised-key");
    // What is public stays open to it.
    client.get("/v1/issuers").is(200);
  }

  @Test
  void revokedAsSuperseded_refusedAndTheNextOfTheSameKeyGoesOn() {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "superseded-auditor");
    Enrolled old = Enrolled.of(csr);
    Enrolled next = Enrolled.of(csr);
    register(old.chain(), "AUDITOR");
    Api before = old.client();
    before.get("/v1/capacity").is(200);

    old.revoke("superseded");

    Poll.until("it is refused", WITHIN, () -> before.get("/v1/capacity").status() == 401);
    next.client().get("/v1/capacity").is(200);
  }

  @Test
  void onHold_refusedUntilReleased() {
    Enrolled held =
        Enrolled.of(Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "held-auditor"));
    register(held.chain(), "AUDITOR");
    Api client = held.client();

    held.revoke("certificateHold");
    Poll.until("it is refused", WITHIN, () -> client.get("/v1/capacity").status() == 401);
    TRIAL.trial().api(0, "admin").delete(held.path() + "/revocation").is(200);

    Poll.until("it goes on", WITHIN, () -> client.get("/v1/capacity").status() == 200);
  }

  /** A certificate of the issuing CA, whose status the ledger knows. */
  private record Enrolled(Csr csr, String chain, String path) {

    static Enrolled of(Csr csr) {
      Answer issued =
          TRIAL
              .trial()
              .enroller()
              .with("Accept", "application/pem-certificate-chain")
              .enroll("tls-client", csr.pemBytes())
              .is(201);
      return new Enrolled(csr, issued.text(), issued.header("Location"));
    }

    Api client() {
      return Api.trusting(
          TRIAL.trial().https(0),
          TRIAL.trial().data().resolve("root.pem"),
          csr.pkcs12(TRIAL.trial().folder(), chain));
    }

    void revoke(String reason) {
      TRIAL
          .trial()
          .api(0, "admin")
          .postJson(path + "/revocation", Map.of("reason", reason))
          .is(200);
    }
  }

  private static void register(String chain, String role) {
    TRIAL
        .trial()
        .api(0, "admin")
        .postJson(
            "/v1/credentials",
            Map.of("requester", "machine", "roles", List.of(role), "certificate", chain))
        .is(201);
  }

  private static List<Case> accepted(RootSigner root) {
    Certified subCa = root.byRoot(CA);
    return List.of(
        new Case("by the root", Outcome.ACCEPTED, root.byRoot(CLIENT)),
        new Case("by a CA between, which is sent", Outcome.ACCEPTED, root.by(subCa, CLIENT)),
        new Case("RSA-2048", Outcome.ACCEPTED, root.byRoot(2048, CLIENT)),
        new Case(
            "without any purpose",
            Outcome.ACCEPTED,
            root.byRoot(CLIENT.replace("tls_www_client\n", ""))),
        new Case("not registered", Outcome.UNAUTHENTICATED, root.byRoot(CLIENT), false));
  }

  private static List<Case> ofTheLeaf(RootSigner root) {
    Certified good = root.byRoot(CLIENT);
    return List.of(
        refused("expired", root.byRoot(dated("2020-01-01 00:00:00", "2020-02-01 00:00:00"))),
        refused("not yet valid", root.byRoot(dated("2090-01-01 00:00:00", "2090-02-01 00:00:00"))),
        refused(
            "for servers only", root.byRoot(CLIENT.replace("tls_www_client", "tls_www_server"))),
        refused("for code only", root.byRoot(CLIENT.replace("tls_www_client", "code_signing_key"))),
        // With RSA: certtool gives digitalSignature to every EC key, whatever the template says.
        refused(
            "keyUsage without digitalSignature",
            root.byRoot(2048, CLIENT.replace("signing_key", "encryption_key"))),
        refused(
            "a critical extension of another world",
            root.byRoot(CLIENT + "add_critical_extension = \"1.2.3.4 0x0500\"\n")),
        refused("signed with SHA-1", root.byRoot(CLIENT, "--hash", "SHA1")),
        refused("RSA-1024", root.byRoot(1024, CLIENT)),
        refused("self-signed", root.selfSigned(CLIENT)),
        refused("signature tampered with", tampered(good)));
  }

  private static List<Case> ofThePath(RootSigner root) {
    Certified subCa = root.byRoot(CA);
    Certified leaf = root.byRoot(CLIENT);
    Certified noCertSign = root.byRoot(CA.replace("cert_signing_key", "signing_key"));
    Certified pathLength0 = root.byRoot(CA + "path_len = 0\n");
    Certified expired =
        root.byRoot(
            CA.replace(
                "expiration_days = 9",
                "activation_date = \"2020-01-01 00:00:00\"\n"
                    + "expiration_date = \"2020-02-01 00:00:00\""));
    Certified constrained = root.byRoot(CA + "nc_permit_dns = allowed.example.com\n");
    Certified impostor = root.selfSigned(CA.replace("Sub CA", rootName()));
    return List.of(
        refused("the CA between not sent", root.by(subCa, CLIENT).sending()),
        refused("by a CA of the same name", root.by(impostor, CLIENT)),
        refused("by a CA that signed itself", root.by(root.selfSigned(CA), CLIENT)),
        refused("by a client", root.by(leaf, CLIENT)),
        refused("by a CA without keyCertSign", root.by(noCertSign, CLIENT)),
        refused("by an expired CA", root.by(expired, CLIENT)),
        refused(
            "below a pathLenConstraint of 0",
            root.by(root.by(pathLength0, CA.replace("Sub", "Lower")), CLIENT)),
        refused(
            "a name outside of the constraints",
            root.by(constrained, CLIENT + "dns_name = other.example.com\n")),
        new Case(
            "a name within the constraints",
            Outcome.ACCEPTED,
            root.by(constrained, CLIENT + "dns_name = a.allowed.example.com\n")));
  }

  private static Case refused(String title, Certified certified) {
    return new Case(title, Outcome.NO_HANDSHAKE, certified);
  }

  private static String dated(String from, String to) {
    return CLIENT.replace(
        "expiration_days = 9",
        "activation_date = \"" + from + "\"\nexpiration_date = \"" + to + "\"");
  }

  private static String rootName() {
    return Answer.certificate(Api.ascii(TRIAL.trial().read("root.pem")))
        .getSubjectX500Principal()
        .getName()
        .replaceFirst("^CN=", "");
  }

  /** One bit of the signature's last octet flipped. */
  private static Certified tampered(Certified good) {
    String begin = "-----BEGIN CERTIFICATE-----\n";
    String end = "-----END CERTIFICATE-----\n";
    byte[] der =
        Base64.getMimeDecoder()
            .decode(good.certificate().replace(begin, "").replace(end, "").strip());
    der[der.length - 1] ^= 1;
    return new Certified(
        good.key(),
        begin + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n" + end);
  }

  private static void judge(Case c) {
    if (c.isRegistered()) {
      TRIAL
          .trial()
          .api(0, "admin")
          .postJson(
              "/v1/credentials",
              Map.of(
                  "requester",
                  "machine",
                  "roles",
                  List.of("AUDITOR"),
                  "certificate",
                  c.certified().certificate()))
          .is(201);
    }
    assertThat(outcome(c.certified())).isEqualTo(c.outcome());
  }

  private static Outcome outcome(Certified certified) {
    try {
      int status = certified.client(TRIAL.trial()).get("/v1/capacity").status();
      assertThat(status).isIn(200, 401);
      return status == 200 ? Outcome.ACCEPTED : Outcome.UNAUTHENTICATED;
    } catch (UncheckedIOException e) {
      // An alert, or in TLS 1.3 sometimes the end of the connection before the alert is read.
      return Outcome.NO_HANDSHAKE;
    }
  }
}
