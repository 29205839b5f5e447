package org.sluiceca.client.shell;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of one command, in the macros of man(7), which groff and mandoc read. */
final class ManPage {
  private static final String EXIT_STATUS =
      "0: done. 1: failed; standard error says why. 2: the command line is wrong; nothing was sent.";

  private final StringBuilder page = new StringBuilder();
  private final CommandSpec spec;

  private ManPage(CommandSpec spec) {
    this.spec = spec;
  }

  /** The page, ASCII. It has no date, so that a build can be repeated. */
  static String of(CommandSpec spec) {
    return new ManPage(spec).page();
  }

  /** The page's name, such as {@code sluice-profile-add}. */
  static String name(CommandSpec spec) {
    return spec.qualifiedName("-");
  }

  private String page() {
    String name = name(spec);
    String version = String.join(" ", spec.root().version());
    line(".TH " + argument(name.toUpperCase(Locale.ROOT)) + " 1 \"\" " + argument(version));
    line(".nh");
    line(".ad l");
    String[] description = spec.usageMessage().description();
    section("NAME");
    text(name + " - " + CommandTree.text(description.length == 0 ? "" : description[0]));
    section("SYNOPSIS");
    text(CommandTree.text(spec.commandLine().getHelp().synopsis(0)));
    section("DESCRIPTION");
    text(CommandTree.text(description));
    commands();
    arguments();
    options();
    footer();
    section("EXIT STATUS");
    text(EXIT_STATUS);
    related();
    return page.toString();
  }

  private void commands() {
    List<CommandSpec> below = visible();
    if (!below.isEmpty()) {
      section("COMMANDS");
    }
    for (CommandSpec one : below) {
      entry(one.name(), one.usageMessage().description());
    }
  }

  private List<CommandSpec> visible() {
    return new LinkedHashSet<>(spec.subcommands().values())
        .stream()
            .map(CommandLine::getCommandSpec)
            .filter(below -> !below.usageMessage().hidden())
            .toList();
  }

  private void arguments() {
    List<PositionalParamSpec> arguments =
        spec.positionalParameters().stream().filter(a -> !a.hidden()).toList();
    if (!arguments.isEmpty()) {
      section("ARGUMENTS");
    }
    for (PositionalParamSpec argument : arguments) {
      entry(argument.paramLabel(), argument.description());
    }
  }

  private void options() {
    List<OptionSpec> options = new ArrayList<>(spec.options());
    options.removeIf(OptionSpec::hidden);
    options.sort(Comparator.comparing(OptionSpec::longestName));
    if (!options.isEmpty()) {
      section("OPTIONS");
    }
    for (OptionSpec option : options) {
      String value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
      entry(String.join(", ", option.names()) + value, option.description());
    }
  }

  /**
   * A line of the footer that ends with a colon heads a section; lines of two blanks are examples.
   */
  private void footer() {
    boolean literal = false;
    for (String line : spec.usageMessage().footer()) {
      boolean indented = line.startsWith("  ");
      if (indented != literal) {
        line(indented ? ".nf" : ".fi");
        literal = indented;
      }
      if (line.startsWith("Example")) {
        section("EXAMPLES");
      } else if (!indented && line.endsWith(":")) {
        section(line.substring(0, line.length() - 1).toUpperCase(Locale.ROOT));
      } else if (!line.isBlank() && !line.startsWith("Exit codes")) {
        text(indented ? line.substring(2) : line);
      }
    }
    if (literal) {
      line(".fi");
    }
  }

  private void related() {
    Set<String> names = new LinkedHashSet<>();
    if (spec.parent() != null) {
      names.add(name(spec.parent()));
    }
    visible().forEach(below -> names.add(name(below)));
    if (!names.isEmpty()) {
      section("SEE ALSO");
      line(
          names.stream()
              .map(name -> "\\fB" + escaped(name) + "\\fR(1)")
              .collect(Collectors.joining(",\n")));
    }
  }

  private void section(String heading) {
    line(".SH " + argument(heading));
  }

  private void entry(String term, String... description) {
    line(".TP");
    line("\\fB" + escaped(term) + "\\fR");
    text(CommandTree.text(description));
  }

  private void text(String text) {
    String escaped = escaped(text);
    line(escaped.startsWith(".") ? "\\&" + escaped : escaped);
  }

  private void line(String line) {
    page.append(line).append('\n');
  }

  private static String argument(String text) {
    return '"' + escaped(text) + '"';
  }

  /** Text as roff prints it unchanged: hyphens and quotes can be copied into a shell. */
  static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints().forEach(c -> escaped.append(escaped(c)));
    return escaped.toString();
  }

  private static String escaped(int c) {
    return switch (c) {
      case '\\' -> "\\(rs";
      case '-' -> "\\-";
      case '"' -> "\\(dq";
      case '\'' -> "\\(aq";
      case '`' -> "\\(ga";
      case '^' -> "\\(ha";
      case '~' -> "\\(ti";
      case '\u2026' -> "...";
      default -> c < 0x7f ? Character.toString(c) : String.format(Locale.ROOT, "\\[u%04X]", c);
    };
  }
}
