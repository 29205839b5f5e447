package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code sluice batch} from {@code requests} to {@code certificates} in a folder, as the trial's
 * requester.
 */
record KilledBatch(Trial trial, Path folder) {

  /**
   * Ends it when as many certificates as {@code $1} are there. The launcher becomes the client, so
   * that its process number is the client's.
   */
  private static final String KILLED_IN_THE_MIDDLE =
      """
      most=$1
      shift
      "$@" & client=$!
      for i in $(seq 6000); do
        [ "$(ls certificates 2>/dev/null | wc -l)" -lt "$most" ] || break
        sleep 0.05
      done
      kill -9 $client
      wait $client
      [ $? -eq 137 ]
      """;

  /** Begins it, and kills it by SIGKILL when there are this many files. */
  void killedAt(int files) {
    in(KILLED_IN_THE_MIDDLE, Stream.concat(Stream.of(Integer.toString(files)), batch())).run().ok();
  }

  /** Runs it to its end; fails unless all are issued. */
  Program.Ended again() {
    return in("\"$@\"", batch()).run().ok();
  }

  private Stream<String> batch() {
    return Stream.of(
        Checkout.launcher().toString(),
        "batch",
        "--from",
        "requests",
        "--out",
        "certificates",
        "--profile",
        "tls-server",
        "--data",
        trial.data().toString());
  }

  /** The certificates that are there, each the first of its file. */
  List<X509Certificate> certificates() {
    try (Stream<Path> files = Files.list(folder.resolve("certificates"))) {
      return files
          .filter(file -> file.toString().endsWith(".pem"))
          .map(file -> Answer.certificate(Csr.read(file)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the service has issued for names below {@code domain}, by its own list. */
  List<JsonNode> found(String domain) {
    return trial
        .sluice("find", "--san", "*." + domain, "--json")
        .run()
        .ok()
        .text()
        .lines()
        .map(line -> JsonMapper.shared().readTree(line))
        .toList();
  }

  /** A script in the folder, with these words as its arguments. */
  Program in(String script, Stream<String> words) {
    return Program.of(
            Stream.concat(
                    Stream.of("bash", "-c", "cd '" + folder + "' || exit\n" + script, "batch"),
                    words)
                .toArray())
        .within(Duration.ofMinutes(15));
  }
}
