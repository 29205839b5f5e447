package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What examples of the client take for granted: files, certificates, orders, approvals, made by
 * real calls. For one thread.
 */
final class ClientExampleScenes {

  /** What stands in examples for the number of a certificate or an order. */
  private static final String SERIAL = "010ba6e0199ce4c6d37ac710e21bc19b032db4";

  private static final String CREDENTIAL = "3f1f6f5e-58b4-4c0a-9b52-0f2f1d5c7a10";
  private static final String CREDENTIALS = "/v1/credentials";
  private static final String REQUEST = "fFb2UEsVxYwUs0VsLKCz2Q";
  private static final String KID = "c2x1aWNlLWtpZC1leGFtcA";

  /** What stands in examples for the endpoint of ACME, and the one that a trial has. */
  private static final Map<String, String> ENDPOINT = Map.of("internal", "trial");

  /** One is written each minute. */
  private static final Duration CHECKPOINT_MAX = Duration.ofMinutes(3);

  private static final String TLS_SERVER = "tls-server";
  private static final String TLS_CLIENT = "tls-client";

  /** Makes what examples need; returns what takes the place of which of their words. */
  private interface Scene {
    Map<String, String> prepare(ClientExamples shell, Path home) throws IOException;
  }

  private final Trial trial;
  private final SoftToken token;
  private final Ceremony ceremony;
  private final Api carol;
  private final Map<String, Scene> scenes = new LinkedHashMap<>();
  private final Set<String> used = new TreeSet<>();
  private Path second = Path.of("");

  /**
   * @param token where the trial signs, and hangs while an order is to wait
   * @param carol an administrator, for the trial's own one may not approve what it has asked for
   */
  ClientExampleScenes(Trial trial, SoftToken token, Api carol) {
    this.trial = trial;
    this.token = token;
    this.ceremony = new Ceremony(trial, token);
    this.carol = carol;
    enrollment();
    certificates();
    credentials();
    bindings();
    requests();
    endpoints();
    audit();
    operation();
  }

  /** For the examples that begin with these words; the longest beginning counts. */
  private void scene(String beginning, Scene scene) {
    scenes.put(HelpPage.PROGRAM + " " + beginning, scene);
  }

  /** Makes what the example needs; returns what takes the place of which of its words. */
  Map<String, String> prepare(String example, ClientExamples shell, Path home) {
    String beginning =
        scenes.keySet().stream()
            .filter(example::startsWith)
            .max(Comparator.comparingInt(String::length))
            .orElse("");
    used.add(beginning);
    try {
      return scenes.getOrDefault(beginning, (s, h) -> Map.of()).prepare(shell, home);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** After each example: what waited goes on. */
  void end() {
    token.release();
  }

  /** The beginnings that no example had. */
  Set<String> unused() {
    Set<String> unused = new TreeSet<>(scenes.keySet());
    unused.removeAll(used);
    return unused;
  }

  private Api alice() {
    return trial.api(0, "admin");
  }

  private Csr csr(Path home, String name) {
    return Csr.openssl(home, Csr.KeyType.EC_P256, name);
  }

  private void enrollment() {
    scene(
        "enroll --profile",
        (shell, home) -> {
          Files.move(csr(home, "www.example.com").pem(), home.resolve("www.csr"));
          Files.writeString(home.resolve("pw"), "correct horse battery\n");
          return Map.of();
        });
    scene(
        "batch --from requests --profile",
        (shell, home) -> {
          Path folder = Files.createDirectory(home.resolve("requests"));
          for (String name : List.of("a.example.com", "b.example.com")) {
            Files.move(csr(home, name).pem(), folder.resolve(name + ".csr"));
          }
          return Map.of();
        });
    scene(
        "batch --from requests.ndjson",
        (shell, home) -> {
          StringBuilder lines = new StringBuilder();
          for (String name : List.of("c", "d")) {
            String csr = csr(home, name + ".example.com").pemText();
            lines
                .append(Answer.json(Map.of("id", name, "csr", csr, "profile", TLS_SERVER)))
                .append('\n');
          }
          Files.writeString(home.resolve("requests.ndjson"), lines);
          return Map.of();
        });
    scene(
        "order",
        (shell, home) -> {
          token.hang();
          return Map.of(SERIAL, ordered(home).locationEnd());
        });
    scene(
        "order " + SERIAL + " --await",
        (shell, home) -> Map.of(SERIAL, ordered(home).locationEnd()));
    scene("order ID", (shell, home) -> Map.of("ID", ordered(home).locationEnd()));
    scene(
        "renew",
        (shell, home) -> {
          Csr csr = csr(home, "www.example.com");
          Files.move(csr.key(), home.resolve("www.key"));
          Files.writeString(home.resolve("www.pem"), chain(TLS_SERVER, csr));
          return Map.of();
        });
  }

  /** Accepted, and perhaps not issued yet. */
  private Answer ordered(Path home) {
    return trial
        .enroller()
        .with("Prefer", "respond-async")
        .enroll(TLS_SERVER, csr(home, "late.example.com").pemBytes())
        .is(202);
  }

  private String chain(String profile, Csr csr) {
    return trial
        .enroller()
        .with("Accept", "application/pem-certificate-chain")
        .enroll(profile, csr.pemBytes())
        .is(201)
        .text();
  }

  private void certificates() {
    Scene issued = (shell, home) -> Map.of(SERIAL, issued(home));
    scene("get " + SERIAL, issued);
    scene("revoke " + SERIAL, issued);
    Scene ofThePage = (shell, home) -> Map.of("SERIAL", issued(home));
    scene("get SERIAL", ofThePage);
    scene("revoke SERIAL", ofThePage);
  }

  private String issued(Path home) {
    return trial
        .enroller()
        .enroll(TLS_SERVER, csr(home, "www.example.com").pemBytes())
        .is(201)
        .locationEnd();
  }

  private void credentials() {
    Scene registered = (shell, home) -> Map.of(CREDENTIAL, registered().path("id").asString());
    scene("credential rotate", registered);
    scene("credential revoke", registered);
    scene(
        "credential rotate --token-file",
        (shell, home) -> {
          ownToken(home.resolve("web.token"));
          return Map.of();
        });
    scene(
        "credential add --requester bob",
        (shell, home) -> {
          Files.writeString(
              home.resolve("bob.pem"), chain(TLS_CLIENT, csr(home, "bob.example.com")));
          return Map.of();
        });
    scene(
        "login",
        (shell, home) -> {
          connection(home);
          return Map.of("https://ca.example.com:8443", trial.https(0).toString());
        });
    scene(
        "login prod --url https://ca1.example.com:8443,https://ca2.example.com:8443",
        (shell, home) -> {
          connection(home);
          return Map.of(
              "https://ca1.example.com:8443",
              "https://localhost:" + Ports.NODES.free(1),
              "https://ca2.example.com:8443",
              trial.https(0).toString());
        });
    scene(
        "credential add --requester web --roles REQUESTER --profiles tls-server --out web.token\n",
        (shell, home) -> {
          // What was just asked for waits for a second person.
          ownToken(home.resolve("own.token"));
          return Map.of(
              "rotate ID",
              "rotate " + registered().path("id").asString(),
              "revoke ID",
              "revoke " + registered().path("id").asString(),
              "rotate --token-file web.token",
              "rotate --token-file own.token");
        });
    Scene loggedIn =
        (shell, home) -> {
          shell
              .shell(
                  home,
                  "sluice login prod --url %s --ca-file '%s' --token-file '%s'"
                      .formatted(
                          trial.https(0),
                          trial.data().resolve("root.pem"),
                          trial.data().resolve("enroll.token")))
              .run()
              .ok();
          return Map.of();
        };
    scene("logout", loggedIn);
    scene("connections", loggedIn);
  }

  private void connection(Path home) throws IOException {
    Files.copy(trial.data().resolve("root.pem"), home.resolve("root.pem"));
    Files.copy(trial.data().resolve("enroll.token"), home.resolve("web.token"));
  }

  /** A credential that no second person must approve: of a new requester, who acts on nothing. */
  private JsonNode registered() {
    return alice()
        .postJson(
            CREDENTIALS,
            Map.of("requester", "reader-" + System.nanoTime(), "roles", List.of("AUDITOR")))
        .is(201)
        .json();
  }

  private void ownToken(Path file) throws IOException {
    Files.writeString(file, registered().path("token").asString());
  }

  private void bindings() {
    scene("eab add", (shell, home) -> ENDPOINT);
    scene("eab revoke", (shell, home) -> Map.of(KID, bound()));
    scene("eab revoke --", (shell, home) -> Map.of("-KID", bound()));
    scene(
        "eab add --endpoint internal --requester team-a --names '*.corp.example'\n",
        (shell, home) -> {
          Map<String, String> words = new LinkedHashMap<>(ENDPOINT);
          words.put("KID", bound());
          return words;
        });
  }

  /** Orders of ACME that wait for a proof. */
  private void requests() {
    scene("request show", (shell, home) -> Map.of(REQUEST, waiting()));
    scene("request list\n", (shell, home) -> Map.of("show ID", "show " + waiting()));
  }

  /** The id of one that does not begin as an option does. */
  private String waiting() {
    String bound =
        JsonMapper.shared().readTree(trial.read("acme-eab.json")).path("directory").asString();
    AcmeClient client =
        new AcmeClient(
            trial.api(0, "enroll").anonymous(), bound.replace("/trial/", "/trial-challenge/"));
    var _ = client.register();
    String id;
    do {
      id = client.order("waiting.example.com").is(201).locationEnd();
    } while (id.startsWith("-"));
    return id;
  }

  private void endpoints() {
    for (String step : List.of("check", "add")) {
      scene(
          "endpoint " + step,
          (shell, home) -> {
            Files.writeString(home.resolve("internal.yaml"), internal(3));
            return Map.of();
          });
    }
    Scene active =
        (shell, home) -> {
          alice().post("/v1/endpoints", "application/yaml", Api.ascii(internal(3)));
          var _ =
              alice()
                  .with("Content-Type", Api.JSON)
                  .send(
                      "PUT",
                      "/v1/endpoints/internal/active",
                      BodyPublishers.ofString("{\"version\":3}"))
                  .is(200);
          return Map.of();
        };
    for (String step : List.of("activate", "deactivate", "show", "versions")) {
      scene("endpoint " + step, active);
    }
  }

  private static String internal(int version) {
    return """
        name: internal
        protocol: acme
        version: %d
        profiles: [tls-server]
        external-account-binding: required
        """
        .formatted(version);
  }

  /** The kid of a binding; one that begins as an option does is left for another. */
  private String bound() {
    String kid;
    do {
      kid =
          alice()
              .postJson(
                  "/v1/acme-bindings",
                  Map.of(
                      "endpoint",
                      "trial",
                      "requester",
                      "team-a",
                      "names",
                      List.of("*.corp.example")))
              .is(201)
              .json()
              .path("kid")
              .asString();
    } while (kid.startsWith("-"));
    return kid;
  }

  /** What an auditor has: the key's public half, copied checkpoints, an export. */
  private void audit() {
    scene(
        "audit verify",
        (shell, home) -> {
          evidence(home);
          shell.shell(home, "sluice audit export --out trail.ndjson").run().ok();
          return Map.of();
        });
    scene(
        "audit export --out trail.ndjson",
        (shell, home) -> {
          evidence(home);
          return Map.of();
        });
  }

  private void evidence(Path home) throws IOException {
    Files.copy(trial.data().resolve("audit.pem"), home.resolve("audit.pem"));
    Path from = trial.data().resolve("node-0/audit");
    Path checkpoints = Files.createDirectory(home.resolve("checkpoints"));
    Poll.until("a checkpoint was written", CHECKPOINT_MAX, () -> !checkpoints(from).isEmpty());
    for (Path file : checkpoints(from)) {
      Files.copy(file, checkpoints.resolve(file.getFileName()));
    }
  }

  private static List<Path> checkpoints(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.getFileName().toString().matches("checkpoint-\\d+.json")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void operation() {
    scene("schema COMMAND", (shell, home) -> Map.of("COMMAND", "get"));
    scene(
        "watch --json",
        (shell, home) -> Map.of("https://ca1.example.com:8443", trial.https(0).toString()));
    scene(
        "profile add",
        (shell, home) -> {
          Files.writeString(home.resolve("web.yaml"), profile(5));
          return Map.of();
        });
    Scene written =
        (shell, home) -> {
          Files.writeString(home.resolve("web.yaml"), profile(6));
          Files.writeString(home.resolve("mail.yaml"), profile(TLS_CLIENT, 2));
          return Map.of();
        };
    scene("profile check", written);
    scene("profile lint", written);
    Scene stored =
        (shell, home) -> {
          store(3);
          store(4);
          return Map.of();
        };
    scene("profile activate", stored);
    scene("profile diff", stored);
    // In the order of the help: installed, renewed, retired.
    scene(
        "issuer install",
        (shell, home) -> {
          second = ceremony.issuingKey("second");
          Files.writeString(home.resolve("second.pem"), ceremony.certified(second));
          return Map.of();
        });
    scene(
        "issuer renew",
        (shell, home) -> {
          Files.writeString(home.resolve("second-2028.pem"), ceremony.certified(second));
          return Map.of();
        });
    Scene askedByCarol =
        (shell, home) -> {
          JsonNode asked = asked(carol);
          return Map.of(
              "ID SHA256", asked.path("id").asString() + " " + asked.path("sha256").asString());
        };
    scene("approval approve", askedByCarol);
    scene("approval refuse", askedByCarol);
    scene("approval withdraw", (shell, home) -> Map.of("ID", asked(alice()).path("id").asString()));
    scene(
        "approval show",
        (shell, home) ->
            Map.of("0d5c7a0e-6f0f-4a6e-9f0e-2f6f7a1f0b11", asked(carol).path("id").asString()));
  }

  private static String profile(int version) throws IOException {
    return profile(TLS_SERVER, version);
  }

  private static String profile(String name, int version) throws IOException {
    return Files.readString(Checkout.shippedProfiles().resolve(name + ".yaml"))
        .replaceFirst("(?m)^version: .*\n", "")
        .replaceFirst("(?m)^use:", "version: " + version + "\nuse:")
        .replaceFirst("P90D", "P" + (80 + version) + "D");
  }

  private void store(int version) throws IOException {
    alice().post("/v1/profiles", "application/yaml", Api.ascii(profile(version)));
  }

  /** An approval of what needs one in this trial, a revocation of nothing. */
  private JsonNode asked(Api by) {
    Map<String, String> selection = Map.of("requester", "gone");
    Answer shown =
        by.postJson(
                "/v1/revocations",
                Map.of("selection", selection, "reason", "superseded", "dryRun", true))
            .is(200);
    return by.postJson(
            "/v1/revocations",
            Map.of(
                "selection",
                selection,
                "reason",
                "superseded",
                "dryRun",
                false,
                "confirmation",
                shown.json().path("confirmation").asString()))
        .is(202)
        .json();
  }
}
