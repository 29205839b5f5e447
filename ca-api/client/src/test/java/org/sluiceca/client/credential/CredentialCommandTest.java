package org.sluiceca.client.credential;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.CommandRun;
import org.sluiceca.client.http.LoopbackService;
import org.sluiceca.client.shell.SchemaFile;

/** Tokens reach their file and nothing else, and the old one is revoked last. */
class CredentialCommandTest {
  private static final String OLD = "3f1f6f5e-58b4-4c0a-9b52-0f2f1d5c7a10";
  private static final String NEW = "0d5c7a0e-6f0f-4a6e-9f0e-2f6f7a1f0b11";
  private static final String SECRET = "this-is-what-a-token-of-43-characters-is-AA";
  private static final String CREATED =
      "201 Location=/v1/credentials/"
          + NEW
          + " {\"id\":\""
          + NEW
          + "\",\"expiresAt\":\"2027-02-20T12:00:00Z\",\"token\":\""
          + SECRET
          + "\"}";
  private static final String LISTED =
      "200 - [{\"id\":\""
          + OLD
          + "\",\"requester\":\"web\",\"kind\":\"TOKEN\",\"roles\":[\"REQUESTER\"],"
          + "\"profiles\":[\"tls-client\",\"tls-server\"],\"expiresAt\":\"2027-01-01T00:00:00Z\"}]";

  @TempDir private Path folder;
  private LoopbackService server;
  private CommandRun run;
  private Path out;

  @BeforeEach
  void start() throws Exception {
    server = new LoopbackService(folder);
    run = new CommandRun(folder, server);
    out = folder.resolve("web.token");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void add_token_isInAPrivateFileAlone() throws Exception {
    server.answers(CREATED);

    assertThat(add("--out", out.toString(), "--profiles", "tls-client,tls-server")).isZero();

    assertThat(out).hasContent(SECRET);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(out)))
        .isEqualTo("rw-------");
    assertThat(run.printed()).contains("registered " + NEW).doesNotContain(SECRET);
    assertThat(server.bodies())
        .containsExactly(
            "{\"requester\":\"web\",\"roles\":[\"REQUESTER\"],"
                + "\"profiles\":[\"tls-client\",\"tls-server\"],\"days\":90}");
  }

  /** The token is in its file alone: a document that a script keeps is no place for it. */
  @Test
  void json_addRotateAndWaiting_neverTheToken() throws Exception {
    String full =
        CREATED.replace(
            "\"expiresAt\"",
            "\"requester\":\"web\",\"kind\":\"TOKEN\",\"roles\":[],\"profiles\":[],\"expiresAt\"");
    server.answers(full);
    assertThat(add("--out", out.toString(), "--json")).isZero();
    assertThat(SchemaFile.faults("credential-add", run.out())).isEmpty();
    assertThat(run.printed()).contains("\"id\":\"" + NEW + "\"").doesNotContain(SECRET);
    assertThat(out).hasContent(SECRET);

    CommandRun rotation = new CommandRun(folder, server);
    server.answers(LISTED);
    server.answers(full);
    server.answers("200 - {}");
    server.answers("200 - \n");
    Path next = folder.resolve("next.token");
    assertThat(rotation.call("credential", "rotate", OLD, "--out", next.toString(), "--json"))
        .isZero();
    assertThat(SchemaFile.faults("credential-rotate", rotation.out())).isEmpty();
    assertThat(rotation.out())
        .startsWith("{\"replaced\":\"" + OLD + "\",\"revoked\":true,")
        .doesNotContain(SECRET);

    CommandRun waiting = new CommandRun(folder, server);
    server.answers(LISTED);
    server.answers(
        "202 Location=/v1/approvals/" + NEW + " {\"id\":\"a\",\"token\":\"" + SECRET + "\"}");
    Path later = folder.resolve("later.token");
    assertThat(waiting.call("credential", "rotate", OLD, "--out", later.toString(), "--json"))
        .isZero();
    assertThat(waiting.out())
        .isEqualTo(
            "{\"replaced\":\"" + OLD + "\",\"revoked\":false,\"approval\":{\"id\":\"a\"}}\n");
    assertThat(later).hasContent(SECRET);
  }

  @Test
  void json_tokenOnStandardOutput_refusedBeforeAnythingIsSent() {
    assertThat(add("--out", "-", "--json")).isEqualTo(2);
    assertThat(call("rotate", OLD, "--out", "-", "--json")).isEqualTo(2);

    assertThat(run.err()).contains("--out needs a file for the token");
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void add_standardOutput_onlyIfAskedFor() {
    server.answers(CREATED);

    assertThat(add()).isEqualTo(2);
    assertThat(add("--out", "-")).isZero();

    assertThat(run.out()).isEqualTo(SECRET + "\n");
    assertThat(run.err()).contains("--out FILE for a token").doesNotContain(SECRET);
  }

  @Test
  void add_fileThatIsThereOrCannotBeMade_nothingIsSent() throws Exception {
    Files.writeString(out, "precious");
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("target"));

    assertThat(add("--out", out.toString())).isEqualTo(1);
    assertThat(add("--out", link.toString())).isEqualTo(1);
    assertThat(add("--out", folder.resolve("no/such").toString())).isEqualTo(1);
    assertThat(call("rotate", OLD, "--out", folder.resolve("no/such").toString())).isEqualTo(1);

    assertThat(out).hasContent("precious");
    assertThat(run.err()).contains("a token never replaces a file", "cannot write");
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void add_refused_noFileIsLeft() {
    server.answers("404 - {\"title\":\"There is no profile of this name\"}");

    assertThat(add("--out", out.toString())).isEqualTo(1);

    assertThat(run.err()).contains("404 There is no profile").doesNotContain("may have been");
    assertThat(out).doesNotExist();
  }

  @Test
  void add_answerWithoutAToken_saysWhatToRevoke() {
    server.answers("201 Location=/v1/credentials/" + NEW + " {\"id\":\"" + NEW + "\"}");
    server.answers("201 Location=/v1/credentials/x;rm {\"token\":\"\\u001b[2J secret\"}");

    assertThat(add("--out", out.toString())).isEqualTo(1);
    assertThat(run.err()).contains("holds no token; ", "sluice credential revoke " + NEW);
    assertThat(out).doesNotExist();

    assertThat(add("--out", out.toString())).isEqualTo(1);
    assertThat(run.printed()).doesNotContain("\u001b", "rm", "secret");
    assertThat(out).doesNotExist();
  }

  @Test
  void add_lostAnswer_isNotSentAgain() {
    // Without an answer the server closes the connection.
    assertThat(add("--out", out.toString())).isEqualTo(1);

    assertThat(run.err()).contains("it may have been registered: sluice credential list");
    assertThat(server.seen()).hasSize(1);
    assertThat(out).doesNotExist();
  }

  @Test
  void add_secondPersonNeeded_keepsTheTokenAndSaysWhoMustApprove() {
    server.answers(waiting());

    assertThat(add("--out", out.toString(), "--quiet")).isZero();

    assertThat(out).hasContent(SECRET);
    assertThat(run.err()).contains("sluice approval show " + NEW, "works when that is approved");
    assertThat(run.printed()).doesNotContain(SECRET);
  }

  @Test
  void add_certificate_isSentWithoutAToken() {
    server.answers(CREATED);

    assertThat(add("--certificate", server.root().toString())).isZero();

    assertThat(server.bodies().getFirst()).contains("\"certificate\":\"-----BEGIN CERTIFICATE");
    assertThat(run.printed()).contains("registered " + NEW).doesNotContain(SECRET);
  }

  @Test
  void list_pages_allFieldsAndNothingThatATerminalObeys() {
    server.answers(
        LISTED
            .replace("200 -", "200 Link=</v1/credentials?cursor=c1>;rel=\"next\"")
            .replace("\"web\"", "\"w\\u001b[2Jeb\\u202e\""));
    server.answers(
        LISTED.replace(
            "\"expiresAt\"",
            "\"revokedAt\":\"2026-12-01\",\"lastUsedAt\":\"2026-11-30T17:00:00Z\",\"expiresAt\""));

    assertThat(call("list")).isZero();

    assertThat(server.seen())
        .containsExactly(
            "GET /v1/credentials Bearer admin null",
            "GET /v1/credentials?cursor=c1 Bearer admin null");
    assertThat(run.out())
        .contains(OLD, "w?[2Jeb?", "TOKEN", "REQUESTER", "tls-client,tls-server", "2026-12-01")
        .containsPattern("2026-12-01 +2026-11-30T17:00:00Z +tls")
        .containsPattern("2027-01-01T00:00:00Z +- +- +tls")
        .doesNotContain("\u001b", "\u202e");
  }

  @Test
  void list_json_linesOfAscii() {
    server.answers(LISTED.replace("\"web\"", "\"\u00fc\""));

    assertThat(call("list", "--json")).isZero();

    assertThat(run.out().lines()).hasSize(1).allMatch(l -> l.contains("\"\\u00FC\""));
  }

  @Test
  void list_nextPageElsewhere_isNeverAsked() {
    server.answers("200 Link=<https://localhost:1/v1/credentials?cursor=c1>;rel=\"next\" " + "[]");

    assertThat(call("list")).isEqualTo(1);

    assertThat(run.err()).contains("not its own");
    assertThat(server.seen()).hasSize(1);
  }

  @Test
  void rotate_oldOneIsRevokedAfterTheNewOneWorked() {
    server.answers(LISTED);
    server.answers(CREATED);
    server.answers("200 - {}");
    server.answers("204 - {}");

    assertThat(call("rotate", OLD, "--out", out.toString())).isZero();

    assertThat(server.seen())
        .containsExactly(
            "GET /v1/credentials Bearer admin null",
            "POST /v1/credentials Bearer admin null",
            "GET /v1/capacity Bearer " + SECRET + " null",
            "DELETE /v1/credentials/" + OLD + " Bearer admin null");
    assertThat(server.bodies().get(1))
        .contains("\"requester\":\"web\"", "[\"REQUESTER\"]", "[\"tls-client\",\"tls-server\"]");
    assertThat(out).hasContent(SECRET);
    assertThat(run.printed()).contains(NEW + " replaces " + OLD).doesNotContain(SECRET);
  }

  @Test
  void rotate_newOneDoesNotWork_oldOneStays() {
    server.answers(LISTED);
    server.answers(CREATED);
    server.answers("401 - {\"title\":\"No valid credential\"}");

    assertThat(call("rotate", OLD, "--out", out.toString())).isEqualTo(1);

    assertThat(server.seen()).hasSize(3).noneMatch(s -> s.startsWith("DELETE"));
    assertThat(run.err())
        .contains("the old one still counts", "revoke " + OLD, "otherwise", "revoke " + NEW);
    assertThat(out).hasContent(SECRET);
  }

  @Test
  void rotate_secondPersonNeeded_oldOneStays() {
    server.answers(LISTED);
    server.answers(waiting());

    assertThat(call("rotate", OLD, "--out", out.toString())).isZero();

    assertThat(server.seen()).hasSize(2).noneMatch(s -> s.startsWith("DELETE"));
    assertThat(run.err()).contains("still counts", "sluice credential revoke " + OLD);
    assertThat(out).hasContent(SECRET);
  }

  @Test
  void rotate_revocationRefused_saysThatBothCount() {
    server.answers(LISTED);
    server.answers(CREATED);
    server.answers("200 - {}");
    server.answers("404 - <html>");

    assertThat(call("rotate", OLD, "--out", out.toString())).isEqualTo(1);

    assertThat(run.err()).contains("works, but the old one still counts", "revoke " + OLD);
    assertThat(out).hasContent(SECRET);
  }

  @Test
  void rotate_certificateOrRevokedOrUnknown_nothingIsRegistered() {
    server.answers(LISTED.replace("\"TOKEN\"", "\"CERTIFICATE\""));
    server.answers(LISTED.replace("\"expiresAt\"", "\"revokedAt\":\"x\",\"expiresAt\""));
    server.answers("200 - []");

    for (int i = 0; i < 3; i++) {
      assertThat(call("rotate", OLD, "--out", out.toString())).isEqualTo(1);
      assertThat(out).doesNotExist();
    }

    assertThat(run.err()).contains("is not a token", "is revoked already", "no credential " + OLD);
    assertThat(server.seen()).allMatch(s -> s.startsWith("GET /v1/credentials "));
  }

  @Test
  void revoke_onceMore_saysThatThereIsNone() {
    server.answers("204 - {}");
    server.answers("404 - {\"type\":\"/problems/not-found\",\"title\":\"No such thing\"}");

    assertThat(call("revoke", OLD)).isZero();
    assertThat(call("revoke", OLD)).isEqualTo(1);

    assertThat(run.err()).contains("revoked " + OLD, "no valid credential " + OLD);
  }

  private static String waiting() {
    return CREATED
        .replace("201", "202")
        .replace("/v1/credentials/", "/v1/approvals/")
        .replace("expiresAt", "askedAt");
  }

  private int add(String... more) {
    String[] words = new String[more.length + 5];
    System.arraycopy(
        new String[] {"add", "--requester", "web", "--roles", "REQUESTER"}, 0, words, 0, 5);
    System.arraycopy(more, 0, words, 5, more.length);
    return call(words);
  }

  private int call(String... words) {
    String[] all = new String[words.length + 1];
    all[0] = "credential";
    System.arraycopy(words, 0, all, 1, words.length);
    return run.call(all);
  }
}
