package org.sluiceca.blackbox;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command's page of help, as its user sees it.
 *
 * @param command its words, such as {@code sluice profile add}
 * @param subcommands the words of the commands below it
 * @param examples what a shell is to run, each with the lines before it that are no command of ours
 * @param faults lines of its examples that cannot be copied
 */
record HelpPage(
    String command, List<String> subcommands, List<String> examples, List<String> faults) {

  static final String PROGRAM = "sluice";

  private static final String INDENT = "  ";
  private static final Pattern COMMANDS = Pattern.compile("(?ms)^Commands:\n(.*?)(?:^\n|\\z)");
  private static final Pattern NAME = Pattern.compile("(?m)^ {2}([a-z][a-z-]*)");
  private static final Pattern EXAMPLES = Pattern.compile("(?ms)^Examples?:\n(.*?)(?:^\n|\\z)");

  HelpPage {
    subcommands = List.copyOf(subcommands);
    examples = List.copyOf(examples);
    faults = List.copyOf(faults);
  }

  /** Reads what {@code --help} has printed. */
  static HelpPage of(String command, String text) {
    Matcher commands = COMMANDS.matcher(text);
    List<String> subcommands =
        commands.find()
            ? NAME.matcher(commands.group(1)).results().map(m -> m.group(1)).toList()
            : List.of();
    Matcher block = EXAMPLES.matcher(text);
    List<String> examples = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    String before = "";
    StringBuilder statement = new StringBuilder();
    for (String line : block.find() ? block.group(1).lines().toList() : List.<String>of()) {
      if (!line.startsWith(INDENT)) {
        faults.add("the help breaks an example: " + line);
      }
      statement.append(line.strip());
      if (line.endsWith("\\")) {
        statement.setLength(statement.length() - 1);
      } else if (statement.indexOf(PROGRAM + " ") == 0) {
        examples.add(before + statement);
        before = "";
        statement.setLength(0);
      } else {
        before += statement + "\n";
        statement.setLength(0);
      }
    }
    if (!before.isEmpty() || !statement.isEmpty()) {
      faults.add("no command of ours ends the example: " + before + statement);
    }
    if (examples.isEmpty()) {
      faults.add("there is no example");
    }
    return new HelpPage(command, subcommands, examples, faults);
  }
}
