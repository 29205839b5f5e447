package org.sluiceca.client.shell;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** The commands of a program as picocli knows them, so that a new command needs no line here. */
public final class CommandTree {

  private CommandTree() {}

  /** The root and all commands below it, nested and hidden ones too, each before its own. */
  public static List<CommandSpec> all(CommandSpec root) {
    List<CommandSpec> all = new ArrayList<>(List.of(root));
    for (CommandLine below : new LinkedHashSet<>(root.subcommands().values())) {
      all.addAll(all(below.getCommandSpec()));
    }
    return all;
  }

  /** The same without hidden commands and what is below them. */
  static List<CommandSpec> visible(CommandSpec root) {
    List<CommandSpec> visible = new ArrayList<>(List.of(root));
    for (CommandLine below : root.subcommands().values()) {
      if (!below.getCommandSpec().usageMessage().hidden()) {
        visible.addAll(visible(below.getCommandSpec()));
      }
    }
    return visible;
  }

  /** As in the list of commands: the first line of the description. */
  static String summary(CommandSpec spec) {
    String[] lines = spec.usageMessage().description();
    return lines.length == 0 ? "" : lines[0];
  }

  /** The words that an argument is one of; empty if it is something else. */
  static List<String> words(ArgSpec argument) {
    List<String> words = new ArrayList<>();
    if (argument.completionCandidates() != null) {
      argument.completionCandidates().forEach(words::add);
    }
    return words;
  }

  /** The command's words without the program's name, such as {@code profile add}. */
  public static String path(CommandSpec spec) {
    return spec.parent() == null
        ? ""
        : spec.qualifiedName(" ").substring(spec.root().name().length() + 1);
  }

  /** The command of these words. Fails, exit code 2, if there is none. */
  static CommandSpec find(CommandSpec root, Collection<String> words) {
    String path = String.join(" ", words);
    return all(root).stream()
        .filter(spec -> path(spec).equals(path))
        .findFirst()
        .orElseThrow(
            () -> Failure.usage("no command '" + path + "': sluice --help lists the commands"));
  }

  /** Whether the argument names a file or a folder. */
  static boolean isFile(ArgSpec argument) {
    return List.of(argument.typeInfo().getAuxiliaryTypes()).contains(Path.class);
  }

  /** What picocli prints for the lines of a description, as one line. */
  static String text(String... lines) {
    return String.join(" ", lines)
        .replace("%n", " ")
        .replace("%%", "%")
        .replaceAll("\\s+", " ")
        .strip();
  }
}
