package org.sluiceca.client.acme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.client.CommandRun;
import org.sluiceca.client.Main;
import org.sluiceca.client.http.LoopbackService;
import org.sluiceca.client.shell.SchemaFile;
import tools.jackson.databind.json.JsonMapper;

/**
 * The key of a binding is shown once or is in its file alone, and what is printed can be pasted.
 */
class EabCommandTest {
  private static final String KID = "-2x1aWNlLWtpZC1leGFtcA";
  private static final String KEY = "-his-is-what-an-hmac-key-of-43-characters-A";
  private static final String DIRECTORY = "https://ca.example.com:8443/acme/internal/directory";
  private static final String LISTED =
      "\"kid\":\"%s\",\"endpoint\":\"internal\",\"requester\":\"team-a\","
          + "\"names\":[\"*.corp.example\",\"corp.example\"],\"profiles\":[],\"single\":%s,"
          + "\"createdBy\":\"admin\",\"createdAt\":\"2026-11-27T12:00:00Z\","
          + "\"expiresAt\":\"2027-02-25T12:00:00Z\"";
  private static final String MADE =
      "201 Location=/v1/acme-bindings/"
          + KID
          + " {"
          + LISTED.formatted(KID, false)
          + ",\"directory\":\""
          + DIRECTORY
          + "\",\"hmacKey\":\""
          + KEY
          + "\"}";

  @TempDir private Path folder;
  private LoopbackService server;
  private CommandRun run;
  private Path out;

  @BeforeEach
  void start() throws Exception {
    server = new LoopbackService(folder);
    run = new CommandRun(folder, server);
    out = folder.resolve("team a.json");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void add_allOptions_areSentOnce() {
    server.answers(MADE);

    assertThat(
            add(
                "--names",
                "corp.example",
                "--profile",
                "tls-server",
                "--profile",
                "tls-client",
                "--days",
                "30",
                "--single"))
        .isZero();

    assertThat(server.seen()).containsExactly("POST /v1/acme-bindings Bearer admin null");
    assertThat(server.bodies())
        .containsExactly(
            "{\"endpoint\":\"internal\",\"requester\":\"team-a\","
                + "\"names\":[\"*.corp.example\",\"corp.example\"],"
                + "\"profiles\":[\"tls-server\",\"tls-client\"],\"days\":30,\"single\":true}");
  }

  /**
   * Both begin with a hyphen, as one of 64 does: a word of its own would be taken for an option.
   */
  @Test
  void add_lines_haveDirectoryKidKeyAndRoot() {
    server.answers(MADE);

    assertThat(add()).isZero();

    assertThat(run.out())
        .contains("# certbot\nREQUESTS_CA_BUNDLE=" + server.root() + " certbot certonly ")
        .contains("-d www.corp.example --server " + DIRECTORY + " \\\n")
        .contains("--eab-kid=" + KID + " --eab-hmac-key=" + KEY + " \\\n")
        .contains("\n# lego\nLEGO_CA_CERTIFICATES=" + server.root() + " lego ")
        .contains("--email ops@corp.example \\\n")
        .contains("--eab --kid=" + KID + " --hmac=" + KEY + " \\\n")
        .contains("\n# cert-manager\napiVersion: v1\nkind: Secret\n");
    assertThat(run.err())
        .contains("made binding " + KID + " of team-a at internal until 2027-02-25T12:00:00Z")
        .contains("the HMAC key is shown once")
        .doesNotContain(KEY);
    assertThat(server.bodies().getFirst()).contains("\"days\":90").doesNotContain("profiles");
  }

  /** What kubectl reads is all there is; the secret holds the key as the service gave it. */
  @Test
  void add_forCertManager_yamlAlone() throws Exception {
    server.answers(MADE);

    assertThat(add("--for", "cert-manager")).isZero();

    String bundle =
        Base64.getEncoder()
            .encodeToString(Files.readString(server.root()).getBytes(StandardCharsets.US_ASCII));
    assertThat(run.out())
        .isEqualTo(
            """
            apiVersion: v1
            kind: Secret
            metadata:
              name: sluice-internal-eab
              namespace: cert-manager
            stringData:
              secret: "%s"
            ---
            apiVersion: cert-manager.io/v1
            kind: ClusterIssuer
            metadata:
              name: sluice-internal
            spec:
              acme:
                server: "%s"
                caBundle: %s
                privateKeySecretRef:
                  name: sluice-internal-account
                externalAccountBinding:
                  keyID: "%s"
                  keySecretRef:
                    name: sluice-internal-eab
                    key: secret
                solvers: []
            """
                .formatted(KEY, DIRECTORY, bundle, KID));
  }

  @ParameterizedTest
  @CsvSource({"certbot, certbot certonly, lego", "lego, --http run, certbot"})
  void add_forOne_itsLinesAlone(String program, String has, String hasNot) {
    server.answers(MADE);

    assertThat(add("--for", program)).isZero();

    assertThat(run.out()).contains(has).doesNotContain(hasNot, "kind:", "#");
  }

  @Test
  void add_out_keyIsInAPrivateFileAlone() throws Exception {
    server.answers(MADE);

    assertThat(add("--out", out.toString())).isZero();

    assertThat(JsonMapper.shared().readTree(Files.readString(out)))
        .isEqualTo(
            JsonMapper.shared()
                .createObjectNode()
                .put("directory", DIRECTORY)
                .put("kid", KID)
                .put("hmacKey", KEY));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(out)))
        .isEqualTo("rw-------");
    assertThat(run.printed()).contains(KID).doesNotContain(KEY);
    assertThat(run.out())
        .contains("--eab-hmac-key=\"$(jq -rj .hmacKey '" + out + "')\" \\\n")
        .contains("# The Secret first:\n#   jq -rj .hmacKey '" + out + "' | kubectl create secret")
        .doesNotContain("kind: Secret");
  }

  @Test
  void add_json_withTheKeyUnlessAFileHasIt() throws Exception {
    server.answers(MADE);
    assertThat(add("--json")).isZero();
    assertThat(run.out().lines()).hasSize(1);
    assertThat(run.out()).contains("\"hmacKey\":\"" + KEY + "\"");
    assertThat(SchemaFile.faults("eab-add", run.out())).isEmpty();

    run = new CommandRun(folder, server);
    server.answers(MADE);
    assertThat(add("--json", "--out", out.toString())).isZero();
    assertThat(run.printed()).contains("\"directory\":\"" + DIRECTORY).doesNotContain(KEY);
    assertThat(SchemaFile.faults("eab-add", run.out())).isEmpty();
  }

  @Test
  void add_fileIsThere_nothingIsSent() throws Exception {
    Files.writeString(out, "precious");

    assertThat(add("--out", out.toString())).isEqualTo(1);

    assertThat(server.seen()).isEmpty();
    assertThat(out).hasContent("precious");
    assertThat(run.err()).contains("is there already: a key never replaces a file");
  }

  @Test
  void add_refused_itsWordsAndNoFile() {
    server.answers(
        "400 - {\"type\":\"/problems/malformed\",\"title\":\"Malformed request\","
            + "\"detail\":\"endpoint must be one of [trial]\"}");

    assertThat(add("--out", out.toString())).isEqualTo(1);

    assertThat(run.err()).contains("400 Malformed request: endpoint must be one of [trial]");
    assertThat(run.out()).isEmpty();
    assertThat(out).doesNotExist();
  }

  @Test
  void add_unclearAnswer_isNotSentAgainAndSaysWhereToLook() {
    server.answers("500 - {}");

    assertThat(add()).isEqualTo(1);

    assertThat(server.seen()).hasSize(1);
    assertThat(run.err()).contains("it may have been made: sluice eab list shows it");
  }

  /** A shell would run what is in these texts. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"directory\":\"https://a/$(reboot)/directory\"",
        "\"directory\":\"https://a/x y\"",
        "\"directory\":\"http://a/x\"",
        "\"kid\":\"a'b\"",
        "\"hmacKey\":\"`reboot`-0123456789\"",
        "\"hmacKey\":\"short\"",
      })
  void add_answerThatIsNoBinding_nothingToPasteAndHowToUndo(String wrong) {
    String member = wrong.substring(0, wrong.indexOf(':'));
    server.answers(MADE.replaceFirst(member + ":\"[^\"]*\"", wrong.replace("$", "\\$")));

    assertThat(add("--out", out.toString())).isEqualTo(1);

    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("has no " + member.replace("\"", "") + " that a client of ACME can use")
        .contains("sluice eab revoke -- " + KID)
        .doesNotContain("reboot", KEY);
    assertThat(out).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--names *corp | '*corp' is no pattern of names: write host.corp.example for one name",
        "--names a..b | 'a..b' is no pattern of names: write",
        "--names a,,b | --names is empty",
        "--days 0 | --days is a number from 1 to 825, not 0",
        "--days 826 | --days is a number from 1 to 825, not 826",
        "--profile ../x | '../x' is not a profile's name",
        "--out - | --out needs a file",
      })
  void add_wrongOption_saysWhatIsRightAndSendsNothing(String option, String says) {
    assertThat(add(option.split(" "))).isEqualTo(2);

    assertThat(run.err()).contains(says);
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void list_pages_allRowsAndNothingThatATerminalObeys() {
    server.answers(
        "200 Link=</v1/acme-bindings?cursor=c1>;rel=\"next\" [{"
            + LISTED.formatted("kid-one", true).replace("team-a", "t\\u001b[2Ja")
            + "}]");
    server.answers(
        "200 - [{"
            + LISTED.formatted("kid-two", false)
            + ",\"revokedAt\":\"2026-12-01T00:00:00Z\"}]");

    assertThat(call("list")).isZero();

    assertThat(server.seen())
        .containsExactly(
            "GET /v1/acme-bindings Bearer admin null",
            "GET /v1/acme-bindings?cursor=c1 Bearer admin null");
    assertThat(run.out())
        .containsPattern(
            "kid-one +internal +t[?]\\[2Ja +yes +2027-02-25T12:00:00Z +- +[*].corp.example,corp")
        .containsPattern(
            "kid-two +internal +team-a +no +2027-02-25T12:00:00Z +2026-12-01T00:00:00Z +[*]")
        .doesNotContain("\u001b");
  }

  @Test
  void list_json_aLineForEach() throws Exception {
    String both = "{" + LISTED.formatted("a", true) + "},{" + LISTED.formatted("b", false) + "}";
    server.answers("200 - [" + both + "]");

    assertThat(call("list", "--json")).isZero();

    assertThat(run.out().lines()).hasSize(2);
    for (String line : run.out().lines().toList()) {
      assertThat(SchemaFile.faults("eab-list", line)).isEmpty();
    }
  }

  @Test
  void revoke_severalWithOneUnknown_theOthersAreRevoked() throws Exception {
    server.answers("200 - \n");
    server.answers("404 - {\"type\":\"/problems/not-found\",\"title\":\"No such thing\"}");
    server.answers("200 - \n");

    assertThat(call("revoke", "kid-one-1", "kid-two-1", "kid-one-1", "kid-three-1", "--json"))
        .isEqualTo(1);

    assertThat(server.seen())
        .containsExactly(
            "DELETE /v1/acme-bindings/kid-one-1 Bearer admin null",
            "DELETE /v1/acme-bindings/kid-two-1 Bearer admin null",
            "DELETE /v1/acme-bindings/kid-three-1 Bearer admin null");
    assertThat(run.err())
        .contains(
            "revoked kid-one-1",
            "revoked kid-three-1",
            "no external account binding kid-two-1: sluice eab");
    assertThat(run.out().lines()).hasSize(2);
    for (String line : run.out().lines().toList()) {
      assertThat(SchemaFile.faults("eab-revoke", line)).isEmpty();
    }
  }

  @Test
  void revoke_noAdministrator_stopsAtTheFirst() {
    server.answers("403 - {\"title\":\"Not allowed\"}");

    assertThat(call("revoke", "kid-one-1", "kid-two-1")).isEqualTo(1);

    assertThat(server.seen()).hasSize(1);
    assertThat(run.err()).contains("kid-one-1 is not revoked: 403 Not allowed");
  }

  @Test
  void revoke_kidThatBeginsWithAHyphen_afterTwoOfThem() throws Exception {
    server.answers("200 - \n");
    Path token = Files.writeString(folder.resolve("a.token"), "admin\n");
    StringWriter err = new StringWriter();

    int status =
        Main.run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err),
            "eab",
            "revoke",
            "--url",
            server.url().toString(),
            "--ca-file",
            server.root().toString(),
            "--token-file",
            token.toString(),
            "--",
            KID);

    assertThat(err.toString()).contains("revoked " + KID);
    assertThat(status).isZero();
  }

  private int add(String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "add",
                "--endpoint",
                "internal",
                "--requester",
                "team-a",
                "--names",
                "*.corp.example"));
    words.addAll(List.of(more));
    return call(words.toArray(String[]::new));
  }

  private int call(String... words) {
    List<String> all = new ArrayList<>(List.of("eab"));
    all.addAll(List.of(words));
    return run.call(all.toArray(String[]::new));
  }
}
