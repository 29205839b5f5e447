package org.sluiceca.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.sluiceca.client.shell.CommandTree;
import org.sluiceca.client.shell.SchemaCommand;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** What each command owes its user, found by walking the commands: a new one needs no line here. */
final class CommandRules {
  private static final int PROGRAM_LINES_MAX = 40;
  private static final int COMMAND_LINES_MAX = 60;
  private static final int COLUMNS_MAX = 100;

  /**
   * Options of two meanings: a file or a folder of results; a name to ask for or to look for; what
   * to read, and the time of the first row, which the service's own export has as well.
   */
  private static final Map<String, Set<String>> LABELS =
      Map.of(
          "--out",
          Set.of("FILE", "DIR"),
          "--subject",
          Set.of("DN", "TEXT"),
          "--from",
          Set.of("DIR|FILE", "TIME"));

  private final List<String> faults = new ArrayList<>();
  private final CommandLine root;

  private CommandRules(CommandLine root) {
    this.root = root;
  }

  /** A line for each rule that a command breaks. */
  static List<String> faults(CommandLine root) {
    CommandRules rules = new CommandRules(root);
    List<CommandSpec> all = CommandTree.all(root.getCommandSpec());
    all.forEach(rules::check);
    rules.checkLabels(all);
    return rules.faults;
  }

  private void check(CommandSpec spec) {
    if (String.join("", spec.usageMessage().description()).isBlank()) {
      fault(spec, "has no description");
    }
    for (ArgSpec argument : spec.args()) {
      if (String.join("", argument.description()).isBlank()) {
        fault(spec, name(argument) + " has no description");
      }
    }
    checkExamples(spec);
    checkHelp(spec);
    checkJson(spec);
  }

  private void checkExamples(CommandSpec spec) {
    List<String> examples = examples(spec.usageMessage().footer());
    if (examples.isEmpty()) {
      fault(spec, "has no example: a line of the footer that begins with two blanks and sluice");
    }
    for (String example : examples) {
      try {
        List<String> words = words(example);
        ParseResult parsed = root.parseArgs(words.subList(1, words.size()).toArray(String[]::new));
        while (parsed.hasSubcommand()) {
          parsed = parsed.subcommand();
        }
        String path = CommandTree.path(parsed.commandSpec()) + " ";
        if (!path.startsWith(CommandTree.path(spec)) || path.isBlank()) {
          fault(spec, "has an example of another command: " + example);
        }
      } catch (ParameterException | IllegalArgumentException e) {
        fault(spec, "has an example that does not parse: " + example + ": " + e.getMessage());
      }
    }
  }

  private void checkHelp(CommandSpec spec) {
    List<String> help = spec.commandLine().getUsageMessage().lines().toList();
    int most = spec.parent() == null ? PROGRAM_LINES_MAX : COMMAND_LINES_MAX;
    if (help.size() > most) {
      fault(spec, "has a help of " + help.size() + " lines, more than " + most);
    }
    if (help.stream().anyMatch(line -> line.length() > COLUMNS_MAX)) {
      fault(spec, "has a help of more than " + COLUMNS_MAX + " columns");
    }
    String.join("\n", spec.usageMessage().footer())
        .lines()
        .filter(line -> line.startsWith("  ") && !help.contains(line))
        .forEach(line -> fault(spec, "has an example that its help breaks: " + line.strip()));
  }

  private void checkJson(CommandSpec spec) {
    OptionSpec json = spec.findOption("--json");
    if (json == null) {
      return;
    }
    String says = String.join(" ", json.description());
    if (!says.contains("JSON document") && !says.contains("JSON lines")) {
      fault(spec, "--json says neither JSON document nor JSON lines");
    }
    if (SchemaCommand.schema(spec).isEmpty()) {
      fault(spec, "has --json, but no schema in src/main/resources/schemas");
    }
  }

  /** One name, one meaning: an option takes the same kind of value in each command. */
  private void checkLabels(List<CommandSpec> all) {
    Map<String, Map<String, List<String>>> seen = new TreeMap<>();
    for (CommandSpec spec : all) {
      for (OptionSpec option : spec.options()) {
        String label = option.arity().max() == 0 ? "no value" : option.paramLabel();
        for (String name : option.names()) {
          seen.computeIfAbsent(name, n -> new TreeMap<>())
              .computeIfAbsent(label, l -> new ArrayList<>())
              .add(CommandTree.path(spec));
        }
      }
    }
    seen.forEach(
        (name, labels) -> {
          Set<String> more = new TreeSet<>(labels.keySet());
          more.removeAll(LABELS.getOrDefault(name, Set.of()));
          if (labels.size() > 1 && !more.isEmpty()) {
            faults.add(name + " has several meanings: " + labels);
          }
        });
  }

  /** The example lines; one that ends with a backslash goes on in the next. */
  private static List<String> examples(String... footer) {
    List<String> examples = new ArrayList<>();
    List<String> lines = Arrays.asList(String.join("\n", footer).replace("\\\n", " ").split("\n"));
    lines.stream().filter(l -> l.startsWith("  sluice ")).map(String::strip).forEach(examples::add);
    return examples;
  }

  /** The words of a command line as a shell splits them, up to a redirection or a pipe. */
  static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    boolean begun = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote == 0 && (c == '|' || c == '>')) {
        break;
      } else if (quote == 0 && c == ' ') {
        if (begun) {
          words.add(word.toString());
        }
        word.setLength(0);
        begun = false;
      } else if (quote == c) {
        quote = 0;
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
        begun = true;
      } else {
        word.append(c);
        begun = true;
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("a quote that is not closed");
    }
    if (begun) {
      words.add(word.toString());
    }
    return words;
  }

  private void fault(CommandSpec spec, String fault) {
    faults.add(("sluice " + CommandTree.path(spec)).strip() + " " + fault);
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }
}
