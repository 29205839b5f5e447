package org.sluiceca.client.shell;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The completion script for fish 3.0 and later: one {@code complete} line for each command and
 * option. Each has the condition that the words so far name the command that it belongs to.
 */
final class FishCompletion {
  private final StringBuilder script = new StringBuilder();
  private final CommandSpec root;
  private final String function;

  private FishCompletion(CommandSpec root) {
    this.root = root;
    this.function = "__" + root.name() + "_command";
  }

  static String of(CommandSpec root) {
    return new FishCompletion(root).script();
  }

  private String script() {
    line("# Completion of " + root.name() + " for fish.");
    line("function " + function);
    line("    set -l known " + known());
    line("    set -l path ''");
    line("    for word in (commandline -opc)");
    line("        set -l longer (string trim -- \"$path $word\")");
    line("        contains -- \"$longer\" $known; and set path $longer");
    line("    end");
    line("    test \"$path\" = \"$argv\"");
    line("end");
    line("complete -c " + root.name() + " -e");
    line("complete -c " + root.name() + " -f");
    CommandTree.visible(root).forEach(this::command);
    return script.toString();
  }

  private String known() {
    return CommandTree.visible(root).stream()
        .filter(spec -> !spec.equals(root))
        .map(spec -> quoted(CommandTree.path(spec)))
        .collect(Collectors.joining(" "));
  }

  private void command(CommandSpec spec) {
    String start =
        "complete -c "
            + root.name()
            + " -n "
            + quoted((function + " " + CommandTree.path(spec)).strip());
    for (CommandSpec below : CommandTree.visible(spec)) {
      if (spec.equals(below.parent())) {
        line(start + " -a " + quoted(below.name()) + described(CommandTree.summary(below)));
      }
    }
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        line(start + names(option) + value(option) + described(option.description()));
      }
    }
    for (ArgSpec positional : spec.positionalParameters()) {
      String value = value(positional);
      if (!positional.hidden() && !value.equals(" -x")) {
        line(start + value.replace(" -r", "").replace(" -x", ""));
      }
    }
  }

  private static String names(OptionSpec option) {
    StringBuilder names = new StringBuilder();
    for (String name : option.names()) {
      String bare = name.replaceFirst("^--?", "");
      String kind = name.startsWith("--") ? " -l " : bare.length() == 1 ? " -s " : " -o ";
      names.append(kind).append(bare);
    }
    return names.toString();
  }

  /** Nothing for a flag; files, the words of a list, or a value that only the user knows. */
  private static String value(ArgSpec argument) {
    if (argument.arity().max() == 0) {
      return "";
    }
    if (CommandTree.isFile(argument)) {
      return " -r -F";
    }
    List<String> words = CommandTree.words(argument);
    return words.isEmpty() ? " -x" : " -x -a " + quoted(String.join(" ", words));
  }

  private static String described(String... description) {
    String text = CommandTree.text(description);
    return text.isEmpty() ? "" : " -d " + quoted(text);
  }

  /** A word in single quotes, in which fish knows two escapes. */
  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  private void line(String line) {
    script.append(line).append('\n');
  }
}
