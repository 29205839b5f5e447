package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.sluiceca.blackbox.Differences.Difference;
import org.sluiceca.blackbox.Differences.Explanation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One script of a client, sent to a trial and to Pebble, Let's Encrypt's server for tests. Every
 * difference in the answers is explained in docs/protocols/ACME-PEBBLE.md.
 */
@Tag("nightly")
// Its proofs are at the addresses that other classes put theirs at.
@ResourceLock(TrialExtension.CHALLENGES)
class AcmePebbleIT {

  private static final String PAGE = "docs/protocols/ACME-PEBBLE.md";

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(folder -> Trial.Options.nodes(1).also(ProofServers.options()));

  private static JsonNode eab() {
    return JsonMapper.shared().readTree(TRIAL.trial().read("acme-eab.json"));
  }

  @Test
  void sameScript_everyDifferenceIsExplained() throws Exception {
    Optional<Path> program = Checkout.tool("pebble");
    assumeTrue(program.isPresent(), "pebble is not installed");
    List<Exchange> sluice = transcript("sluice", sluice());
    List<Exchange> pebble = pebble(program.orElseThrow());

    List<Difference> differences = Differences.between(sluice, pebble);
    List<Explanation> rows = Differences.explained(Checkout.text(PAGE));

    Evidence.note(
        "Pebble: %d requests, %d differences by %d explanations"
            .formatted(sluice.size(), differences.size(), rows.size()));
    assertThat(Differences.faults(differences, rows))
        .as("the rows of %s; whole answers in target/acme-*.txt", PAGE)
        .isEmpty();
    assertPlantedAreFound(differences, rows);
  }

  /** The comparison is worth something only if it misses nothing and keeps nothing. */
  private static void assertPlantedAreFound(List<Difference> differences, List<Explanation> rows) {
    List<Difference> more = new ArrayList<>(differences);
    more.add(new Difference("order: one name", "status", "ready", "pending"));
    assertThat(Differences.faults(more, rows)).hasSize(1).first().asString().contains("ready");
    List<Explanation> late = new ArrayList<>(rows);
    late.add(
        new Explanation(List.of("order: one name"), "status", "valid", "pending", "why", "7.1.3"));
    assertThat(Differences.faults(differences, late))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("explains nothing");
  }

  private static AcmeScript.Server sluice() {
    Api api = TRIAL.trial().api(0, "enroll").anonymous();
    String bound = eab().path("directory").asString();
    return new AcmeScript.Server(
        api,
        bound.replace("/trial/", "/trial-challenge/"),
        api,
        bound,
        eab().path("kid").asString(),
        eab().path("hmacKey").asString());
  }

  private static List<Exchange> pebble(Path program) throws Exception {
    String kid = eab().path("kid").asString();
    String hmacKey = eab().path("hmacKey").asString();
    try (PebbleServer open = PebbleServer.start(program, false, kid, hmacKey);
        PebbleServer bound = PebbleServer.start(program, true, kid, hmacKey)) {
      return transcript(
          "pebble",
          new AcmeScript.Server(
              open.api(), open.directory(), bound.api(), bound.directory(), kid, hmacKey));
    }
  }

  private static List<Exchange> transcript(String name, AcmeScript.Server server) throws Exception {
    AcmeScript script = new AcmeScript(server);
    try {
      new AcmeScriptAccounts(script).run();
      new AcmeScriptRefusals(script).run();
      new AcmeScriptOrders(script).run();
      new AcmeScriptProofs(script).run();
      new AcmeScriptCertificates(script).run();
    } finally {
      write("acme-" + name + ".txt", Differences.transcript(script.transcript()));
    }
    return script.transcript();
  }

  private static void write(String file, String text) {
    try {
      Files.createDirectories(Checkout.target());
      Files.writeString(Checkout.target().resolve(file), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
