package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * schemathesis, a foreign judge of HTTP APIs: makes requests from an OpenAPI document, good and
 * bad, and compares the answers with what the document promises.
 */
record SchemaJudge(Trial trial, Path folder) {

  private static final String PROGRAM = "schemathesis";

  /** Examples for each operation and phase, in every run of CI. */
  static final int FEW = 8;

  /** In the nightly tier; {@code SLUICE_TEST_SCHEMA_EXAMPLES} has it try for longer. */
  static final int MANY =
      Integer.parseInt(
          Optional.ofNullable(System.getenv("SLUICE_TEST_SCHEMA_EXAMPLES")).orElse("30"));

  /** {@code SLUICE_TEST_SCHEMA_SEED} has it try others. */
  private static final String SEED =
      Optional.ofNullable(System.getenv("SLUICE_TEST_SCHEMA_SEED")).orElse("20261121");

  /** Ends a hang: 30 examples take 20 s on two cores, and much more on busy ones. */
  private static final Duration LIMIT = Duration.ofMinutes(6);

  private static final int REQUESTS = 8;

  /** Of these, this number is put on hold: what is not, cannot be released. */
  private static final int ON_HOLD = 3;

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /**
   * What a run found.
   *
   * @param faults kind and operation of each
   * @param accepted how many valid requests of each operation were answered with success
   * @param requests how many were sent
   */
  record Verdict(List<String> faults, Map<String, Integer> accepted, int requests, String text) {}

  static Optional<Path> installed() {
    return Checkout.tool(PROGRAM);
  }

  /** Makes the folder that schemathesis is run in: how it runs, and what no schema can say. */
  static SchemaJudge of(Trial trial) throws IOException {
    Path folder = Files.createTempDirectory(trial.folder(), "schema");
    for (String file : List.of("schemathesis.toml", "hooks.py")) {
      try (InputStream in = SchemaJudge.class.getResourceAsStream("/schemathesis/" + file)) {
        Files.copy(Objects.requireNonNull(in, file), folder.resolve(file));
      }
    }
    // It looks for both in its working directory, which is ours.
    Path config = folder.resolve("schemathesis.toml");
    Files.writeString(
        config,
        Files.readString(config)
            .replace("hooks = \"", "hooks = \"" + folder + "/")
            .replace("from-file = \"", "from-file = \"" + folder + "/"));
    StringBuilder serials = new StringBuilder();
    // All of the name in the document's examples, or nearly no renewal would have the names of what
    // it replaces.
    for (int i = 0; i < REQUESTS; i++) {
      Csr csr = Csr.openssl(trial.folder(), Csr.KeyType.EC_P256, "www.example.com");
      Answer issued = trial.enroller().enroll("tls-server", csr.pemBytes()).is(201);
      JsonNode certificate = issued.json();
      Files.copy(csr.pem(), folder.resolve(i + ".csr"));
      Files.writeString(folder.resolve(i + ".crt"), certificate.path("certificate").asString());
      if (i < ON_HOLD) {
        trial
            .api(0, "admin")
            .postJson(
                issued.header("Location") + "/revocation", Map.of("reason", "certificateHold"))
            .is(200);
      }
      String serial = certificate.path("serial").asString();
      question(trial, serial, folder.resolve(i + ".ocsp"));
      serials.append('"').append(serial).append("\"\n");
    }
    Files.writeString(folder.resolve("serials"), serials);
    for (int version = 2; version <= 3; version++) {
      String profile = profile(version);
      trial.api(0, "admin").post("/v1/profiles", "application/yaml", Api.ascii(profile));
      Files.writeString(folder.resolve(version + ".profile"), profile);
    }
    endpoint(trial, folder);
    // Else nothing that it gives back to the files was ever taken from them.
    trial
        .api(0, "admin")
        .with("Content-Type", Api.JSON)
        .send("PUT", "/v1/profiles/schema/active", BodyPublishers.ofString("{\"version\":2}"))
        .is(200);
    return new SchemaJudge(trial, folder);
  }

  /** That of the document's examples, active, so that they find it. */
  private static void endpoint(Trial trial, Path folder) throws IOException {
    String file =
        """
        name: internal
        protocol: acme
        version: 3
        profiles: [tls-server]
        external-account-binding: required
        """;
    Api admin = trial.api(0, "admin");
    admin.post("/v1/endpoints", "application/yaml", Api.ascii(file));
    Files.writeString(folder.resolve("internal.endpoint"), file);
    admin
        .with("Content-Type", Api.JSON)
        .send("PUT", "/v1/endpoints/internal/active", BodyPublishers.ofString("{\"version\":3}"))
        .is(200);
  }

  /** Asks no responder: only the request is wanted, so openssl ends with a failure. */
  private static void question(Trial trial, String serial, Path file) {
    Program.Ended ignored =
        Program.of(
                "openssl",
                "ocsp",
                "-no_nonce",
                "-issuer",
                trial.data().resolve("chain.pem"),
                "-serial",
                "0x" + serial,
                "-reqout",
                file)
            .run();
  }

  private static String profile(int version) {
    return """
        name: schema
        version: %d
        description: For schemathesis
        use: enrollment
        issuer: issuing
        validity: {duration: P1D, backdate: PT5M}
        subject: {optional: [common_name]}
        key: {algorithms: [ec_p256]}
        extensions: {keyUsage: [digital_signature], extendedKeyUsage: [client_auth], revocation: crl}
        """
        .formatted(version);
  }

  /** Judges the node by the document at this address or path. */
  Verdict judge(int examples, String document, String... options) throws IOException {
    Path report = folder.resolve("report.json");
    Files.deleteIfExists(report);
    String token = register();
    List<Object> words =
        new ArrayList<>(
            List.of(
                installed().orElseThrow(),
                "--config-file",
                folder.resolve("schemathesis.toml"),
                "run",
                document,
                "--tls-verify",
                trial.data().resolve("root.pem"),
                "--header",
                "Authorization: Bearer " + token,
                "--max-examples",
                examples,
                "--seed",
                SEED,
                "--request-timeout",
                30,
                "--report-json-path",
                report,
                "--generation-database",
                "none",
                "--no-color"));
    words.addAll(List.of(options));
    Program.Ended ended =
        Program.of(words.toArray()).within(LIMIT.multipliedBy(1 + examples / 31)).run();
    if (!Files.exists(report)) {
      throw new AssertionError(ended);
    }
    // Had it lost its credential, 401 would have been all that it saw.
    trial.enroller().anonymous().with(Api.bearer(token)).get("/v1/capacity").is(200);
    return verdict(MAPPER.readTree(Files.readAllBytes(report)), ended.text());
  }

  static Verdict verdict(JsonNode report, String text) {
    List<String> faults = new ArrayList<>();
    for (JsonNode failure : report.path("failures")) {
      for (JsonNode operation : failure.path("operations")) {
        faults.add(failure.path("title").asString() + ": " + operation.asString());
      }
    }
    report.path("errors").forEach(error -> faults.add("error: " + error));
    JsonNode operations = report.path("operations");
    if (!report.path("complete").asBoolean(false)
        || operations.path("tested").asInt(-1) != operations.path("selected").asInt()) {
      faults.add("not all was tested");
    }
    Map<String, Integer> accepted = new TreeMap<>();
    report
        .path("valid_rates")
        .properties()
        .forEach(
            entry ->
                accepted.put(
                    entry.getKey(),
                    entry
                        .getValue()
                        .valueStream()
                        .mapToInt(phase -> phase.path("accepted").asInt())
                        .sum()));
    return new Verdict(faults, accepted, report.path("test_cases").path("generated").asInt(), text);
  }

  /** Registers who may do everything, and names to the hooks what must not be revoked. */
  private String register() throws IOException {
    Api admin = trial.api(0, "admin");
    JsonNode registered =
        admin
            .postJson(
                "/v1/credentials",
                Map.of(
                    "requester",
                    "schema",
                    "roles",
                    List.of("REQUESTER", "OFFICER", "AUDITOR", "ADMIN"),
                    "profiles",
                    List.of("tls-server", "device")))
            .is(201)
            .json();
    Stream<String> ids =
        admin.get("/v1/credentials").is(200).json().valueStream().map(c -> c.path("id").asString());
    Files.write(folder.resolve("kept"), ids.toList());
    return registered.path("token").asString();
  }
}
