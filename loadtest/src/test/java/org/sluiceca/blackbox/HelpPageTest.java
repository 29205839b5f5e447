package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Examples as a reader copies them from a page of help. */
class HelpPageTest {

  private static final String PAGE =
      """
      Usage: sluice profile [-hV] COMMAND
      Does it.
        -h, --help      Show this help message and exit.
      Commands:
        add          Store a version, which is
                       not used yet.
        revoke-all   Revoke.

      Exit code 0: done.

      Examples:
        mkdir -p folder
        sluice profile add \\
          web.yaml
        sluice profile activate tls-server 4

      More of it.
      """;

  @Test
  void of_page_commandsAndExamples() {
    HelpPage page = HelpPage.of("sluice profile", PAGE);

    assertThat(page.subcommands()).containsExactly("add", "revoke-all");
    assertThat(page.examples())
        .containsExactly(
            "mkdir -p folder\nsluice profile add web.yaml", "sluice profile activate tls-server 4");
    assertThat(page.faults()).isEmpty();
  }

  @Test
  void of_exampleAtTheEnd_read() {
    HelpPage page = HelpPage.of("sluice get", "Usage: get\n\nExample:\n  sluice get 2a\n");

    assertThat(page.examples()).containsExactly("sluice get 2a");
    assertThat(page.subcommands()).isEmpty();
    assertThat(page.faults()).isEmpty();
  }

  @Test
  void of_exampleThatTheHelpBreaks_fault() {
    String text = "Example:\n  sluice enroll --dns www.example.com --out\nwww.pem\n";

    assertThat(HelpPage.of("sluice enroll", text).faults())
        .contains("the help breaks an example: www.pem");
  }

  @Test
  void of_noExample_fault() {
    assertThat(HelpPage.of("sluice get", "Usage: sluice get\n").faults())
        .containsExactly("there is no example");
    assertThat(HelpPage.of("sluice get", "Example:\n  ls\n").faults())
        .contains("no command of ours ends the example: ls\n", "there is no example");
  }
}
