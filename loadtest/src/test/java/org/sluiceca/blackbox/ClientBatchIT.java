package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.json.JsonMapper;

/** {@code sluice batch} on a folder of requests, killed in the middle and run again. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class ClientBatchIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final int REQUESTS = 400;

  /** One key for all: a requester may have several certificates of a key. */
  private static final String REQUESTS_ARE_MADE =
      """
      openssl ecparam -name prime256v1 -genkey -noout -out key
      mkdir requests
      for i in $(seq "$1"); do
        openssl req -new -key key -subj "/CN=h$i.killed.example.com" -out "requests/h$i.csr"
      done
      """;

  /** The launcher becomes the client, so that its process number is the client's. */
  private static final String KILLED_IN_THE_MIDDLE =
      """
      "$@" & client=$!
      for i in $(seq 1200); do
        [ "$(ls certificates 2>/dev/null | wc -l)" -lt 40 ] || break
        sleep 0.05
      done
      kill -9 $client
      wait $client
      [ $? -eq 137 ]
      """;

  @TempDir private Path folder;

  @Test
  void batch_killedAndRunAgain_eachRequestHasOneCertificate() throws Exception {
    in(REQUESTS_ARE_MADE, Integer.toString(REQUESTS)).run().ok();

    in(KILLED_IN_THE_MIDDLE, batch()).run().ok();
    int early = certificates();
    Program.Ended again = in("\"$@\"", batch()).run().ok();

    assertThat(early).isBetween(20, REQUESTS - 1);
    assertThat(certificates()).isEqualTo(REQUESTS);
    assertThat(again.errors()).contains(REQUESTS + " of " + REQUESTS + " are issued");
    Set<String> names;
    String found =
        TRIAL.trial().sluice("find", "--san", "*.killed.example.com", "--json").run().ok().text();
    try (Stream<String> lines = found.lines()) {
      names =
          lines
              .map(line -> JsonMapper.shared().readTree(line).path("subject").asString(""))
              .collect(Collectors.toSet());
    }
    assertThat(names).hasSize(REQUESTS);
    assertThat(found.lines()).as("none twice").hasSize(REQUESTS);
  }

  private String[] batch() {
    return new String[] {
      Checkout.launcher().toString(),
      "batch",
      "--from",
      "requests",
      "--out",
      "certificates",
      "--profile",
      "tls-server",
      "--data",
      TRIAL.trial().data().toString()
    };
  }

  private int certificates() throws Exception {
    try (Stream<Path> files = Files.list(folder.resolve("certificates"))) {
      return (int) files.filter(file -> file.toString().endsWith(".pem")).count();
    }
  }

  /** A script in the folder of the test, with these words as its arguments. */
  private Program in(String script, String... words) {
    return Program.of(
        Stream.concat(
                Stream.of("bash", "-c", "cd '" + folder + "' || exit\n" + script, "batch"),
                Stream.of(words))
            .toArray());
  }
}
