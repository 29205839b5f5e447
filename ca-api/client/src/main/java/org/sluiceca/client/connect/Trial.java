package org.sluiceca.client.connect;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a trial that {@code ./sluice up} has made: its tokens, its root certificate and
 * the ports of its nodes.
 *
 * @param directory as the user named it
 */
record Trial(Path directory) {
  private static final Pattern LINE = Pattern.compile("([a-z-]+): (.*)");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");
  private static final int DEFAULT_PORT = 8443;
  private static final int PORT_MAX = 65_535;

  /** The nodes' URLs; that of node 0 on its default port where no trial has run. */
  List<URI> urls() {
    Map<String, String> run = run();
    int port = number(run.get("port"), DEFAULT_PORT);
    int nodes = Math.clamp(number(run.get("nodes"), 1), 1, Connection.URLS_MAX);
    List<URI> urls = new ArrayList<>();
    for (int i = 0; i < nodes && port + i <= PORT_MAX; i++) {
      urls.add(URI.create("https://localhost:" + (port + i)));
    }
    return urls;
  }

  /** Whether a trial has run here. */
  boolean isThere() {
    return Files.isRegularFile(directory.resolve("run"));
  }

  Path token(Purpose purpose) {
    return directory.resolve(purpose == Purpose.ADMINISTER ? "admin.token" : "enroll.token");
  }

  Optional<Path> root() {
    return Optional.of(directory.resolve("root.pem")).filter(Files::isReadable);
  }

  private Map<String, String> run() {
    Map<String, String> values = new HashMap<>();
    try {
      for (String line : Files.readAllLines(directory.resolve("run"))) {
        Matcher matcher = LINE.matcher(line);
        if (matcher.matches()) {
          values.put(matcher.group(1), matcher.group(2));
        }
      }
    } catch (IOException e) {
      // No trial has run here: the defaults.
      return Map.of();
    }
    return values;
  }

  private static int number(@Nullable String text, int otherwise) {
    return text != null && NUMBER.matcher(text).matches() ? Integer.parseInt(text) : otherwise;
  }
}
