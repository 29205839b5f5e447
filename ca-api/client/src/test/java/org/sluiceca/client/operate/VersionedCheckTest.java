package org.sluiceca.client.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.client.CommandRun;
import org.sluiceca.client.http.LoopbackService;
import org.sluiceca.client.shell.SchemaFile;

/** What a user is shown of a profile file before it is added. */
class VersionedCheckTest {
  private static final String SOUND =
      """
      200 - {"name":"web","version":3,"digest":"%s","sha256":"%s","stored":false,\
      "description":"Servers \\u001b[2J","use":"enrollment","lane":"bulk","issuer":"issuing",\
      "validity":{"duration":"PT2160H","backdate":"PT5M","clampToIssuer":true},\
      "key":{"algorithms":["ec_p256","rsa"],"rsaBitsMin":3072,"rsaBitsMax":8192},\
      "subject":[{"attribute":"common_name","presence":"required","pattern":"[a-z]+"},\
      {"attribute":"organization","presence":"fixed","value":"Example AG","replace":true},\
      {"attribute":"locality","presence":"optional","default":"Bern"}],\
      "subjectAltName":{"forms":["dns","ip"],"countMax":20,"required":true,"wildcards":false,\
      "commonNameAsDns":true,"fromRequest":true,"countMaxOf":{"ip":2},\
      "permitted":["dns:example.com"],"patterns":{"dns":"[a-z.]+"},"add":["dns:a.example.com"]},\
      "extensions":{"keyUsage":["digital_signature"],"extendedKeyUsage":["server_auth"],\
      "revocation":"crl","policies":["1.2.3"],"other":[{"oid":"1.2.4","critical":true,\
      "text":"for ${requester.id}"}],"ignoreRequested":["1.2.5"]}}\
      """
          .formatted("5f".repeat(32), "c0".repeat(32));

  @TempDir private Path folder;
  private LoopbackService server;
  private CommandRun run;
  private String file;

  @BeforeEach
  void start() throws Exception {
    server = new LoopbackService(folder);
    run = new CommandRun(folder, server);
    file = Files.writeString(folder.resolve("web.yaml"), "name: web\n").toString();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void check_soundFile_saysWhatItAllows() {
    server.answers(SOUND);

    assertThat(run.call("profile", "check", file)).isZero();

    assertThat(server.seen()).containsExactly("POST /v1/profiles:check Bearer admin null");
    assertThat(server.bodies()).containsExactly("name: web\n");
    assertThat(run.out())
        .isEqualTo(
            file
                + """
                : could be stored as web version 3
                  description  Servers ?[2J
                  issuer       issuing
                  lane         bulk
                  valid        for 90 days
                               from 5 minutes before the request on
                               ends with its issuer where that is earlier
                  keys         ec_p256, rsa of 3072 to 8192 bits
                  subject      common_name: required, matches [a-z]+
                               organization: fixed, Example AG, whatever the request says
                               locality: optional, by default Bern
                  names        dns or ip, at most 20, at least one, no wildcards
                               a common name is one of them
                               at most 2 of form ip
                               permitted dns:example.com
                               dns matches [a-z.]+
                               added by the profile dns:a.example.com
                  key usage    digital_signature
                  purposes     server_auth
                  revocation   a CRL, and OCSP
                  adds         1.2.4, critical: for ${requester.id}
                  policies     1.2.3
                  refused      any other key, attribute of the subject or form of name
                               any other extension that is asked for; dropped: 1.2.5
                  digest       %s
                  file sha256  %s
                """
                    .formatted("5f".repeat(32), "c0".repeat(32)));
  }

  @Test
  void check_json_aLineForEachFileBySchema() throws Exception {
    server.answers(SOUND);
    server.answers(problem(422, "profile file: line 3: there is no key x"));

    assertThat(run.call("profile", "check", file, file, "--json")).isEqualTo(1);

    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(2);
    for (String line : lines) {
      assertThat(SchemaFile.faults("profile-check", line)).isEmpty();
    }
    assertThat(lines.getFirst()).contains("\"sound\":true", "\"backdate\":\"PT5M\"");
    assertThat(lines.getLast()).contains("\"sound\":false", "\"status\":422");
  }

  @Test
  void lint_files_aLineEachAndTheFaultsOfAll() {
    server.answers(problem(422, "profile file: line 3: there is no key x: is it y?"));
    server.answers(SOUND);
    server.answers(problem(409, "version 3 of profile web is another file already"));

    assertThat(run.call("profile", "lint", file, file, file)).isEqualTo(1);

    assertThat(run.out())
        .isEqualTo(
            file
                + ": could be stored as web version 3, digest "
                + "5f".repeat(32)
                + ", file sha256 "
                + "c0".repeat(32)
                + "\n");
    assertThat(run.err())
        .contains(
            file + ": line 3: there is no key x: is it y?",
            file + ": version 3 of profile web is another file already",
            "2 of 3 files cannot be stored");
  }

  /** What is not about the file ends the command: the other files would fail alike. */
  @ParameterizedTest
  @CsvSource({
    "403, the requester lacks the role, 403 T: the requester lacks the role",
    "404, unknown, the service is older than this client",
    "413, too large, 413 T: too large",
    "422, '', 422 T",
  })
  void check_otherRefusal_endsTheCommand(int status, String detail, String said) {
    server.answers(problem(status, detail));

    assertThat(run.call("profile", "check", file, file)).isEqualTo(1);

    assertThat(run.err()).contains(said);
    assertThat(server.seen()).hasSize(1);
  }

  /** A device that never ends is read no further than a profile can go. */
  @Test
  void check_fileThatIsNoProfile_nothingIsSent() throws Exception {
    Path tooLong = Files.write(folder.resolve("long.yaml"), new byte[Versioned.FILE_MAX + 1]);

    assertThat(run.call("profile", "check", file, tooLong.toString())).isEqualTo(1);
    assertThat(run.call("profile", "lint", folder.resolve("none").toString())).isEqualTo(1);
    assertThat(run.call("profile", "check", folder.toString())).isEqualTo(1);
    assertThat(run.call("profile", "check")).isEqualTo(2);
    Path endless = Path.of("/dev/zero");
    if (Files.exists(endless)) {
      assertThat(run.call("profile", "add", endless.toString())).isEqualTo(1);
    }

    assertThat(run.err()).contains("longer than 65536 octets", "cannot read ", "check needs FILE");
    assertThat(server.seen()).isEmpty();
  }

  /** The octets are the service's to judge, whatever their charset. */
  @Test
  void check_otherCharset_sentAsItIs() throws Exception {
    Path latin = folder.resolve("latin.yaml");
    Files.write(latin, "description: Ger\u00e4te".getBytes(StandardCharsets.ISO_8859_1));
    server.answers(problem(422, "profile file: it is not well-formed YAML"));

    assertThat(run.call("profile", "check", latin.toString())).isEqualTo(1);

    assertThat(server.bodies()).containsExactly("description: Ger\ufffdte");
  }

  @Test
  void check_answerThatSaysNothing_stillLines() {
    server.answers("200 - {}");
    server.answers("200 - [1,{\"subject\":7}]");

    assertThat(run.call("profile", "check", file)).isZero();
    assertThat(run.call("profile", "check", file)).isZero();

    assertThat(run.out()).contains("could be stored as - version 0");
  }

  @ParameterizedTest
  @CsvSource({
    "PT2160H, 90 days",
    "PT25H, 1 day 1 hour",
    "PT90S, 1 minute 30 seconds",
    "PT0S, 0 seconds",
    "soon, soon",
  })
  void time_iso8601_inWords(String text, String words) {
    assertThat(ProfileWords.time(text)).isEqualTo(words);
  }

  private static String problem(int status, String detail) {
    return status + " - {\"type\":\"/problems/x\",\"title\":\"T\",\"detail\":\"" + detail + "\"}";
  }
}
