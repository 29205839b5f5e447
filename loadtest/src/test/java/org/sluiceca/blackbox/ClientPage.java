package org.sluiceca.blackbox;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands that docs/CLIENT.md shows. */
final class ClientPage {

  /** Where the page puts the jar. */
  static final String JAR = "/opt/sluice/sluice.jar";

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```\n(.*?)^```$");

  /** With an option or an argument: a command's bare name is only mentioned. */
  private static final Pattern SPAN = Pattern.compile("`((?:mkdir [^`]*)?sluice [a-z-]+ [^`]+)`");

  private ClientPage() {}

  /** What a shell is to run: each block whole, and each command within a sentence or a table. */
  static List<String> commands(String page) {
    List<String> commands = new ArrayList<>();
    Matcher blocks = BLOCK.matcher(page);
    blocks
        .results()
        .map(block -> block.group(1).strip())
        .filter(block -> block.startsWith(HelpPage.PROGRAM + " "))
        .forEach(commands::add);
    SPAN.matcher(blocks.replaceAll("")).results().map(m -> m.group(1)).forEach(commands::add);
    return commands;
  }

  /** The script that starts the jar. */
  static String script(String page) {
    return BLOCK
        .matcher(page)
        .results()
        .map(block -> block.group(1))
        .filter(block -> block.startsWith("#!"))
        .findFirst()
        .orElseThrow();
  }
}
