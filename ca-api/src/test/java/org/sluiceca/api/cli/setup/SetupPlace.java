package org.sluiceca.api.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.sluiceca.api.cli.setup.SetupCommand.Surroundings;
import org.sluiceca.api.cli.setup.store.DatabaseCheck;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

/**
 * An empty database, two real tokens and a folder for the configuration: where setup begins.
 *
 * @param options those that a first run needs, by their names
 * @param steps the steps that ran, in all runs
 */
record SetupPlace(
    Address owner,
    Address service,
    SoftToken issuing,
    SoftToken root,
    Path config,
    Map<String, String> options,
    List<String> steps) {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final AtomicInteger PLACES = new AtomicInteger();

  /** How a run ended. */
  record Ended(int code, String errors, ScriptedOperator operator) {}

  /** What happens when a step has ended. */
  interface AfterStep {
    void ended(String step);
  }

  /** Ends a run like a kill would. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /** Makes it, or skips the test where the server has no roles for it. */
  static SetupPlace in(Path folder) {
    assumeTrue(SERVER.hasRoles(), "an external server has roles of its administrator's");
    int number = PLACES.incrementAndGet();
    Address owner = SERVER.emptyDatabase();
    Address service = SERVER.service(owner);
    SoftToken issuing = SoftHsm.newToken("setup-issuing-" + number);
    SoftToken root = SoftHsm.newToken("setup-root-" + number);
    Path config = folder.resolve("config-" + number);
    try {
      Files.createDirectory(config);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> options = new LinkedHashMap<>();
    options.put("--database-url", service.url());
    options.put("--database-user", service.user());
    options.put("--database-password-file", service.passwordFile().toString());
    options.put("--database-migration-user", owner.user());
    options.put("--database-migration-password-file", owner.passwordFile().toString());
    options.put("--module", SoftHsm.library().toString());
    options.put("--token-label", issuing.label());
    options.put("--pin-file", issuing.pin().path().toString());
    options.put("--subject", "CN=Setup Issuing CA,O=Example,C=DE");
    options.put("--root-token-label", root.label());
    options.put("--root-pin-file", root.pin().path().toString());
    options.put("--root-subject", "CN=Setup Root CA,O=Example,C=DE");
    options.put("--public-url", "http://pki.example.com");
    options.put("--service-url", "https://ca.example.com:8443");
    options.put("--node-name", "node-7");
    options.put("--config-dir", config.toString());
    return new SetupPlace(owner, service, issuing, root, config, options, new ArrayList<>());
  }

  Path out() {
    return config.resolve("ceremony");
  }

  Path nodeEnv() {
    return config.resolve("node.env");
  }

  /** The options of a first run, changed by these: an empty value takes one away. */
  String[] words(String... changes) {
    Map<String, String> changed = new LinkedHashMap<>(options);
    for (int i = 0; i < changes.length; i += 2) {
      if (changes[i + 1].isEmpty()) {
        changed.remove(changes[i]);
      } else {
        changed.put(changes[i], changes[i + 1]);
      }
    }
    return changed.entrySet().stream()
        .flatMap(entry -> Stream.of(entry.getKey(), entry.getValue()))
        .toArray(String[]::new);
  }

  /** The options of a first run, with a root that is another CA's. */
  String[] externalWords() {
    return words(
        "--root-ca", "external",
        "--root-token-label", "",
        "--root-pin-file", "",
        "--root-subject", "");
  }

  static String[] concat(String[] words, String... more) {
    return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
  }

  /** A run by options. Measuring a token takes seconds, and has a test of its own. */
  Ended run(String... words) {
    return run(ScriptedOperator.absent(), step -> {}, words);
  }

  /** A run that {@code after} may end like a kill would, between two steps. */
  Ended run(ScriptedOperator operator, AfterStep after, String... words) {
    StringWriter out = new StringWriter();
    StringWriter errors = new StringWriter();
    List<String> all = new ArrayList<>(List.of(words));
    if (!all.contains("--config-dir")) {
      all.addAll(List.of("--config-dir", config.toString()));
    }
    all.add("--no-calibrate");
    int code =
        SetupCommand.commandLine(
                new Surroundings(
                    (_, _) -> operator,
                    (writer, step) -> {
                      var failure = SetupCommand.ceremony(writer, step);
                      steps.add(step.getFirst());
                      after.ended(step.getFirst());
                      return failure;
                    },
                    new DatabaseCheck(
                        DatabaseCheck.Requirements.OF_A_NODE, InstantSource.system())))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(errors, true))
            .execute(all.toArray(String[]::new));
    return new Ended(code, errors.toString(), operator);
  }

  /** A run that a kill ends after the first step that is such a one. */
  void runUntil(Predicate<String> isLast, String... words) {
    assertThatThrownBy(
            () ->
                run(
                    ScriptedOperator.absent(),
                    step -> {
                      if (isLast.test(step)) {
                        throw new Killed();
                      }
                    },
                    words))
        .isInstanceOf(Killed.class);
  }

  /** Leaves what a run leaves that a kill ends after this step. Its steps do not count. */
  void prepareUntil(String last, String... words) {
    runUntil(last::equals, words);
    steps.clear();
  }

  /** A step of the ceremony by hand, with this database and one of these tokens. */
  void step(SoftToken token, String... words) {
    String[] access = {
      "--module=" + SoftHsm.library(),
      "--token-label=" + token.label(),
      "--pin-file=" + token.pin().path(),
      "--database-url=" + service.url(),
      "--database-user=" + service.user(),
      "--database-password-file=" + service.passwordFile()
    };
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter(), true);
    assertThat(SetupCommand.ceremony(nowhere, List.of(concat(words, access)))).isEmpty();
  }

  /** Signs with this place's root, as another CA does. */
  void sign(Path csr, Path certificate) {
    step(
        root,
        "root",
        "--subject=CN=unused",
        "--public-url=http://other.example.com",
        "--csr=" + csr,
        "--certificate-out=" + certificate,
        "--root-out=" + certificate + ".root");
  }

  /** The files below the configuration's folder, by their paths. */
  List<String> files() {
    return filesOf(config);
  }

  static List<String> filesOf(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          // The adapter's lock next to a PIN, which nodes have as well.
          .filter(name -> !name.contains(".sluice-login-"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long count(String table) {
    return SERVER.number(owner, "SELECT count(*) FROM " + table);
  }
}
