package org.sluiceca.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The commands that pages for newcomers show exist, with their options. Those of CLIENT.md are run
 * by a black-box test; these need another CA, or root.
 */
class PagesTest {

  private static final Path DOCUMENTS = Path.of("..", "..", "docs");
  private static final Pattern COMMAND = Pattern.compile("\\bsluice ([a-z][^`\n]*)");

  /** Words of the launcher, which is no part of the client. */
  private static final Set<String> LAUNCHER =
      Set.of(
          "ceremony",
          "setup",
          "plan",
          "drill",
          "up",
          "down",
          "status",
          "release",
          "load",
          "bench",
          "test");

  static Stream<Path> pages() throws IOException {
    List<Path> pages =
        new ArrayList<>(List.of(DOCUMENTS.resolve("NGINX.md"), DOCUMENTS.resolve("SUPPORT.md")));
    try (Stream<Path> files = Files.list(DOCUMENTS.resolve("migration"))) {
      pages.addAll(files.sorted().toList());
    }
    return pages.stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void commands_onThePage_existWithTheirOptions(Path page) throws IOException {
    assertThat(faults(Files.readString(page))).isEmpty();
  }

  @Test
  void commands_thatAreNot_areFound() {
    assertThat(
            faults(
                """
                `sluice enrol --profile web`, `sluice credential add --role REQUESTER`
                sluice enroll --profile web \\
                  --dns a.example.com --keys a.key
                """))
        .containsExactly("no command enrol", "add has no --role", "enroll has no --keys");
  }

  private static List<String> faults(String page) {
    List<String> faults = new ArrayList<>();
    Matcher shown = COMMAND.matcher(page.replaceAll("\\\\\n *", " "));
    while (shown.find()) {
      List<String> words = List.of(shown.group(1).strip().split("[\\s,;]+"));
      CommandLine command = Main.commands();
      for (String word : words) {
        if (command.getSubcommands().containsKey(word)) {
          command = Objects.requireNonNull(command.getSubcommands().get(word));
        } else if (command.getParent() == null) {
          if (!LAUNCHER.contains(word)) {
            faults.add("no command " + word);
          }
          break;
        } else if (word.startsWith("--") && command.getCommandSpec().findOption(word) == null) {
          faults.add(command.getCommandName() + " has no " + word);
        }
      }
    }
    return faults;
  }
}
