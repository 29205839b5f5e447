package org.sluiceca.client.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.Main;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class ManPageTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  @Test
  void man_out_writesAPageForEachCommandWithItsSections() throws Exception {
    assertThat(run("man", "--out", folder.resolve("man1").toString())).isZero();

    List<Path> pages;
    try (Stream<Path> files = Files.list(folder.resolve("man1"))) {
      pages = files.toList();
    }
    assertThat(pages)
        .extracting(page -> page.getFileName().toString())
        .contains("sluice.1", "sluice-enroll.1", "sluice-profile.1", "sluice-profile-add.1");
    for (Path page : pages) {
      assertThat(page)
          .content()
          .matches("[\\x20-\\x7e\\n]+")
          .startsWith(".TH \"SLUICE")
          .contains(".SH \"NAME\"\nsluice", ".SH \"SYNOPSIS\"\nsluice", ".SH \"EXAMPLES\"\n.nf\n")
          .contains(".SH \"DESCRIPTION\"\n", ".SH \"OPTIONS\"\n", ".SH \"EXIT STATUS\"\n");
    }
  }

  @Test
  void man_command_printsItsPage() {
    assertThat(run("man", "profile", "add")).isZero();

    assertThat(out.toString())
        .contains("sluice\\-profile\\-add \\- Store a version of a profile")
        .contains(".TP\n\\fBFILE\\fR\nits file, YAML\n")
        .contains(".TP\n\\fB\\-q, \\-\\-quiet\\fR\n")
        .contains(".TP\n\\fB\\-\\-url=URL\\fR\n")
        .contains(".SH \"SEE ALSO\"\n\\fBsluice\\-profile\\fR(1)\n");
  }

  @Test
  void man_unknownCommandOrBoth_exitCode2() {
    assertThat(run("man", "frobnicate")).isEqualTo(2);
    assertThat(err.toString()).contains("no command 'frobnicate'");
    assertThat(run("man", "enroll", "--out", folder.toString())).isEqualTo(2);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void of_textThatRoffWouldObey_isEscaped() {
    CommandSpec spec = CommandSpec.create().name("sluice");
    spec.usageMessage()
        .description(".so /etc/passwd \\fB", "'t it's \"a-b\" ^ ~ ` … é")
        .footer("Example:", "  .ex 'a-b' \\");
    spec.addOption(
        OptionSpec.builder("-x", "--ex").arity("1").paramLabel("A-B").description(".x").build());

    String page = ManPage.of(new CommandLine(spec).getCommandSpec());

    assertThat(page)
        .contains(
            "\n\\&.so /etc/passwd \\(rsfB \\(aqt it\\(aqs \\(dqa\\-b\\(dq \\(ha \\(ti \\(ga ... \\[u00E9]\n")
        .contains("\n\\&.ex \\(aqa\\-b\\(aq \\(rs\n.fi\n")
        .contains("\n\\fB\\-x, \\-\\-ex=A\\-B\\fR\n\\&.x\n");
    assertThat(page.lines().filter(line -> line.startsWith(".") || line.startsWith("'")))
        .allMatch(line -> line.matches("\\.(TH|nh|ad|SH|TP|nf|fi)( .*)?"));
  }

  private int run(String... words) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), words);
  }
}
