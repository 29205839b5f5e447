package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.blackbox.ClientExamples.Altered;

/** Every example of the client's help, and of docs/CLIENT.md, does what it says in a real trial. */
@Tag("nightly")
class ClientExamplesIT {

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder -> {
            SoftToken token = SoftToken.make(folder.resolve("token"));
            return Trial.Options.token(1, token, token.hangingModule())
                // While it hangs, the token is not to be taken for lost.
                .with(Map.of("SLUICE_HSM_CALL_TIMEOUT", "60s"));
          });

  private static final Map<String, String> FOUR_EYES =
      Map.of("SLUICE_APPROVAL_ACTIONS", "bulk-revocation,credential-admin");

  private static final String SYSTEM = "it would change the system that runs the tests";

  /** The only examples that are not run to the letter. All are run. */
  private static final Map<String, Altered> ALTERED =
      Map.of(
          "sluice watch --every 5s",
          new Altered("it does not end by itself", " --count 1"),
          "sluice renew --cert www.pem --key www.key --after 'nginx -s reload' --install",
          new Altered(SYSTEM, " --dry-run"),
          "sluice renew --cert www.pem --key www.key --after 'systemctl reload nginx' --install",
          new Altered(SYSTEM, " --dry-run"));

  private static final String PAGE = Checkout.text("docs/CLIENT.md");

  private static Api carol;
  private static ClientExamples examples;
  private static List<HelpPage> pages;

  @BeforeAll
  static void pages() {
    // The second administrator must be there before the first needs one.
    Api alice = TRIAL.trial().api(0, "admin");
    Answer registered =
        alice
            .postJson(
                "/v1/credentials",
                Map.of("requester", "carol", "roles", List.of("ADMIN", "OFFICER")))
            .is(201);
    carol = alice.anonymous().with(Api.bearer(registered.json().path("token").asString()));
    TRIAL.trial().down().ok();
    TRIAL.trial().up(FOUR_EYES).ok();
    examples = examples(ALTERED);
    pages = examples.pages();
  }

  private static ClientExamples examples(Map<String, Altered> altered) {
    Trial trial = TRIAL.trial();
    SoftToken token = new SoftToken(trial.folder().resolve("token"));
    return new ClientExamples(trial, new ClientExampleScenes(trial, token, carol), altered);
  }

  @TestFactory
  Stream<DynamicTest> examples_eachRun_doWhatTheySay() {
    // An example that two pages have is run once.
    Map<String, String> places = new LinkedHashMap<>();
    pages.forEach(page -> page.examples().forEach(e -> places.putIfAbsent(e, page.command())));
    ClientPage.commands(PAGE).forEach(command -> places.putIfAbsent(command, "CLIENT.md"));
    DynamicTest stale =
        DynamicTest.dynamicTest(
            "nothing is prepared for an example that is gone",
            () -> assertThat(examples.stale()).isEmpty());
    return Stream.concat(
        places.entrySet().stream().map(each -> run(each.getValue(), each.getKey())),
        Stream.of(stale));
  }

  private static DynamicTest run(String where, String example) {
    return DynamicTest.dynamicTest(
        where + ": " + example, () -> assertThat(examples.faults(example)).isEmpty());
  }

  /** The file sluice that the page puts into the reader's PATH. */
  @Test
  void page_scriptThatStartsTheJar_startsIt() {
    String script = ClientPage.script(PAGE).replace(ClientPage.JAR, examples.jar().toString());

    assertThat(
            Program.of("sh", Csr.write(TRIAL.trial().folder(), script), "--version")
                .run()
                .ok()
                .text())
        .startsWith("sluice ");
  }

  @Test
  void pages_ofAllCommands_haveExamplesThatCanBeCopied() throws IOException {
    assertThat(pages).hasSize(examples.manualPages());
    assertThat(pages).allSatisfy(page -> assertThat(page.faults()).as(page.command()).isEmpty());
    Evidence.note(
        "%d pages of help with %d examples"
            .formatted(pages.size(), pages.stream().mapToInt(p -> p.examples().size()).sum()));
    assertThat(ClientPage.commands(PAGE)).as("what CLIENT.md shows").hasSizeGreaterThan(15);
  }

  /** What parses, and is refused by the service or the shell, as well as what does not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sluice enroll --profile tls-serwer --csr www.csr --out www.pem | ended with 1",
        "sluice enroll --profile tls-server --csr www.csr --out new/www.pem | ended with 1",
        "sluice schema get > certificate/schema | No such file",
        "sluice get 010ba6e0199ce4c6d37ac710e21bc19b032db5 --out www.pem | ended with 1",
        "sluice order --await | to be replaced",
        "sluice profile versions tls-server # --out list | it has not made",
        "sluice profile versions tls-server # --json | this is no JSON",
        "sluice find --jsn | ended with 2",
        "sluice completion bash --json | ended with 2",
      })
  void faults_plantedInAnExample_found(String example, String fault) {
    assertThat(examples.faults(example)).singleElement().asString().contains(fault);
  }

  @Test
  void stale_plantedInTheTable_found() {
    assertThat(examples(Map.of("sluice gone", new Altered("it is gone", ""))).stale())
        .contains("sluice gone", "sluice logout");
  }
}
