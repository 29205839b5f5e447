package org.sluiceca.client.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.client.Main;
import org.sluiceca.client.http.LoopbackService;
import org.sluiceca.client.key.Csr;
import org.sluiceca.client.key.KeyKind;
import org.sluiceca.client.key.PemFiles;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What commands print with --json, by their schemas: one line that is one document. */
class JsonOutputTest {
  private static final String ID = "0d5c7a0e-6f0f-4a6e-9f0e-2f6f7a1f0b11";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;
  private LoopbackService server;

  @BeforeEach
  void start() throws Exception {
    server = new LoopbackService(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "get 2a, get, /v1/certificates/{serial}, get",
    "revoke 2a --reason keyCompromise, post, /v1/certificates/{serial}/revocation, revoke",
    "profile versions tls-server, get, /v1/profiles/{name}/versions, profile-versions",
    "endpoint list, get, /v1/endpoints, endpoint-list",
    "endpoint versions internal, get, /v1/endpoints/{name}/versions, endpoint-versions",
    "approval list, get, /v1/approvals, approval-list",
    "approval show " + ID + ", get, /v1/approvals/{id}, approval-show",
    "issuer list, get, /v1/issuers, issuer-list",
    "order 2a, get, /v1/orders/{id}, order",
  })
  void json_documentOfTheService_isPrintedInOneLine(
      String words, String method, String path, String schema) throws Exception {
    String document = Contract.example(method, path, 200);
    server.answers("200 - " + document);

    assertThat(run(words)).isZero();

    assertThat(JsonMapper.shared().readTree(printed(schema)))
        .isEqualTo(JsonMapper.shared().readTree(document));
  }

  /** What an act answers, done or waiting for a second person: one document, exit code 0. */
  @ParameterizedTest
  @CsvSource({
    "revoke 2a --reason superseded, post, /v1/certificates/{serial}/revocation, 200, revoke",
    "profile add FILE, post, /v1/profiles, 201, profile-add",
    "profile file tls-server, delete, /v1/profiles/{name}/active, 204, profile-file",
    "endpoint deactivate internal, delete, /v1/endpoints/{name}/active, 204, endpoint-deactivate",
    "issuer install second CHAIN, post, /v1/issuers, 201, issuer-install",
    "issuer renew second CHAIN, post, /v1/issuers/{name}/certificate, 200, issuer-renew",
    "issuer retire second, post, /v1/issuers/{name}/retirement, 200, issuer-retire",
    "credential revoke " + ID + ", delete, /v1/credentials/{id}, 204, credential-revoke",
  })
  void json_act_isPrintedDoneOrWaiting(
      String words, String method, String path, int status, String schema) throws Exception {
    String line = words.replace("FILE", file()).replace("CHAIN", chain());
    server.answers(
        status == 204 ? "200 - \n" : status + " - " + Contract.example(method, path, status));
    assertThat(run(line)).isZero();
    assertThat(printed(schema)).doesNotContain("askedBy");
    assertThat(err.toString()).doesNotContain("nothing is done yet");

    out.getBuffer().setLength(0);
    server.answers(waiting());
    assertThat(run(line)).isZero();
    assertThat(printed(schema)).contains("\"askedBy\":");
    assertThat(err.toString()).contains("nothing is done yet: another administrator must run");
  }

  /** Reads which activation there is first. */
  @Test
  void json_activate_activationOrApproval() throws Exception {
    String versions = "200 - " + Contract.example("get", "/v1/profiles/{name}/versions", 200);
    server.answers(versions);
    server.answers("200 - " + Contract.example("put", "/v1/profiles/{name}/active", 200));
    assertThat(run("profile activate tls-server 3")).isZero();
    assertThat(printed("profile-activate")).contains("\"activation\":");

    out.getBuffer().setLength(0);
    server.answers(versions);
    server.answers(waiting());
    assertThat(run("profile activate tls-server 3")).isZero();
    assertThat(printed("profile-activate")).contains("\"askedBy\":");
  }

  @Test
  void json_endpointAddAndActivate_whatIsStoredAndWhatCounts() throws Exception {
    server.answers("201 - " + Contract.example("post", "/v1/endpoints", 201));
    assertThat(run("endpoint add " + file())).isZero();
    assertThat(printed("endpoint-add")).contains("\"version\":3");

    out.getBuffer().setLength(0);
    String versions = "200 - " + Contract.example("get", "/v1/endpoints/{name}/versions", 200);
    server.answers(versions);
    server.answers("200 - " + Contract.example("put", "/v1/endpoints/{name}/active", 200));
    assertThat(run("endpoint activate internal 3")).isZero();
    assertThat(printed("endpoint-activate")).contains("\"activation\":");

    out.getBuffer().setLength(0);
    server.answers(versions);
    server.answers(waiting());
    assertThat(run("endpoint activate internal 3")).isZero();
    assertThat(printed("endpoint-activate")).contains("\"askedBy\":");
  }

  @ParameterizedTest
  @CsvSource({"approve, done, 0", "approve, failed, 1", "refuse, refused, 0"})
  void json_decision_theApprovalAsItIsThen(String step, String status, int exitCode)
      throws Exception {
    server.answers("200 - " + approval(status));

    assertThat(run("approval " + step + " " + ID + " " + "0a".repeat(32))).isEqualTo(exitCode);

    assertThat(printed("approval-" + step)).contains("\"status\":\"" + status + "\"");
  }

  @Test
  void json_withdraw_theApproval() throws Exception {
    server.answers("200 - " + approval("withdrawn"));

    assertThat(run("approval withdraw " + ID)).isZero();

    assertThat(printed("approval-withdraw")).contains("\"status\":\"withdrawn\"");
  }

  private static String approval(String status) throws Exception {
    return Contract.example("get", "/v1/approvals/{id}", 200)
        .replaceFirst("\"status\":\"[a-z]+\"", "\"status\":\"" + status + "\"");
  }

  private static String waiting() throws Exception {
    return "202 Location=/v1/approvals/" + ID + " " + approval("pending");
  }

  private String file() throws Exception {
    return Files.writeString(folder.resolve("web.yaml"), "name: web\n").toString();
  }

  private String chain() throws Exception {
    return Files.writeString(folder.resolve("chain.pem"), pem()).toString();
  }

  @Test
  void json_find_aDocumentForEachLine() throws Exception {
    JsonNode page = JsonMapper.shared().readTree(Contract.example("get", "/v1/certificates", 200));
    int lines = page.path("certificates").size();
    server.answers("200 - {\"certificates\":" + page.path("certificates") + "}");

    assertThat(run("find")).isZero();

    assertThat(out.toString().lines()).hasSize(lines).isNotEmpty();
    for (String line : out.toString().lines().toList()) {
      assertThat(SchemaFile.faults("find", line)).isEmpty();
    }
  }

  @Test
  void json_revokeAll_countThenJob() throws Exception {
    server.answers("200 - " + Contract.example("post", "/v1/revocations", 200));
    assertThat(run("revoke-all --requester web --reason superseded --dry-run")).isZero();
    assertThat(printed("revoke-all")).contains("\"confirmation\":");

    out.getBuffer().setLength(0);
    server.answers("202 Location=/v1/revocations/" + ID + " {}");
    server.answers("200 - " + Contract.example("get", "/v1/revocations/{id}", 200));
    assertThat(run("revoke-all --requester web --reason superseded --confirm " + "0a".repeat(32)))
        .isZero();
    assertThat(printed("revoke-all")).contains("\"status\":\"done\"");
  }

  @Test
  void json_revokeAllThatWaits_theApproval() throws Exception {
    server.answers(
        "202 Location=/v1/approvals/"
            + ID
            + " "
            + Contract.example("get", "/v1/approvals/{id}", 200));

    assertThat(run("revoke-all --requester web --reason superseded --confirm " + "0a".repeat(32)))
        .isZero();

    assertThat(printed("revoke-all")).contains("\"askedBy\":");
  }

  @Test
  void json_enroll_serialEndAndFilesOrChain() throws Exception {
    Path key = folder.resolve("www.key");
    Path certificate = folder.resolve("www.pem");
    server.answers("201 Location=/v1/certificates/2a " + pem());
    assertThat(run("enroll --profile p --dns a --key " + key + " --out " + certificate)).isZero();
    assertThat(printed("enroll"))
        .contains("\"serial\":\"2a\"")
        .contains("\"keyFile\":\"" + key)
        .contains("\"certificateFile\":\"" + certificate)
        .doesNotContain("PRIVATE");

    out.getBuffer().setLength(0);
    server.answers("201 Location=/v1/certificates/2b " + pem());
    Path csr = Files.writeString(folder.resolve("www.csr"), "a request");
    assertThat(run("enroll --profile p --csr " + csr)).isZero();
    assertThat(printed("enroll")).contains("\"chain\":\"-----BEGIN").doesNotContain("keyFile");
  }

  @Test
  void json_enrollIntoAStore_itsFileAlone() throws Exception {
    Path store = folder.resolve("db.p12");
    Path password = Files.writeString(folder.resolve("pw"), "secret-word\n");
    // The key of a try before this one, so that the answer can be made for it.
    KeyPair pair = KeyKind.EC_P256.generate();
    Files.writeString(folder.resolve("db.p12.key"), Csr.pem(pair.getPrivate()));
    Files.writeString(folder.resolve("db.p12.key.csr"), "a request");
    server.answers(
        "201 Location=/v1/certificates/2a "
            + PemFiles.block("CERTIFICATE", LoopbackService.certificate(pair).getEncoded()));

    assertThat(
            run(
                "enroll --profile p --dns a --idempotency-key k --store "
                    + store
                    + " --password-file "
                    + password))
        .isZero();

    assertThat(printed("enroll"))
        .contains("\"storeFile\":\"" + store)
        .doesNotContain("keyFile", "secret-word");
  }

  @Test
  void json_getWithOut_isRefused() {
    assertThat(run("get 2a --out x.pem")).isEqualTo(2);
    assertThat(err.toString()).contains("leave --out out");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "enroll | {\"serial\":\"2a\",\"certificateFile\":\"a\"}",
        "enroll | {\"serial\":\"2a\",\"notAfter\":\"tomorrow\",\"certificateFile\":\"a\"}",
        "enroll | {\"serial\":\"2a\",\"notAfter\":\"2027-01-01T00:00:00Z\"}",
        "enroll | {\"serial\":\"2a\",\"notAfter\":\"2027-01-01T00:00:00Z\",\"chain\":\"x\"}",
        "enroll |"
            + " {\"serial\":\"2a\",\"notAfter\":\"2027-01-01T00:00:00Z\",\"storeFile\":\"a\",\"keyFile\":\"b\"}",
        "find | {\"serial\":\"2a\"}",
        "batch | {\"id\":\"a\",\"result\":\"issued\"}",
        "batch | {\"id\":\"a\",\"result\":\"failed\",\"serial\":\"2a\",\"problem\":{}}",
        "batch | {\"id\":\"a\",\"result\":\"done\",\"problem\":{}}",
        "order | {\"id\":\"2a\"}",
        "profile-check | {\"file\":\"a\",\"sound\":true}",
        "profile-check | {\"file\":\"a\",\"sound\":false,\"profile\":{}}",
        "endpoint-check | {\"file\":\"a\",\"sound\":true}",
        "endpoint-check | {\"file\":\"a\",\"sound\":false,\"endpoint\":{}}",
        "profile-file | {\"name\":\"a\"}",
        "revoke | {\"serial\":\"2a\"}",
        "credential-revoke | {\"id\":\"2a\",\"status\":\"revoked\"}",
        "eab-add | {\"kid\":\"a\"}",
        "eab-list | {\"kid\":\"a\",\"hmacKey\":\"b\"}",
        "eab-revoke | {\"kid\":\"a\"}",
        "approval-list | {}",
        "revoke-all | {\"count\":1}",
        "connections | {\"connections\":[{\"name\":\"a\",\"urls\":[],\"token\":\"t\"}]}",
      })
  void schema_wrongDocument_isRefused(String schema, String document) throws Exception {
    assertThat(SchemaFile.faults(schema, document)).isNotEmpty();
  }

  private static String pem() throws Exception {
    return PemFiles.block(
        "CERTIFICATE", LoopbackService.certificate(KeyKind.EC_P256.generate()).getEncoded());
  }

  /** Standard output: one line, and what the schema says. */
  private String printed(String schema) throws Exception {
    assertThat(out.toString().lines()).hasSize(1);
    assertThat(SchemaFile.faults(schema, out.toString())).isEmpty();
    return out.toString();
  }

  private int run(String line) {
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    words.addAll(List.of("--json", "--url", server.url().toString()));
    words.addAll(List.of("--ca-file", server.root().toString()));
    try {
      Path token = Files.writeString(folder.resolve("web.token"), "web\n");
      words.addAll(List.of("--token-file", token.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
  }
}
