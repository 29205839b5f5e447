package org.sluiceca.client.operate;

import java.util.Arrays;
import java.util.List;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.output.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sluice profile diff}: what one stored version changes in another one. */
@Command(
    name = "diff",
    description = {
      "Show what leads from one stored version to another, line by line, as diff -u does.",
      "The exit code is 0 whether or not they differ."
    },
    footer = {"", "Example:", "  sluice profile diff tls-server 3 4"})
final class ProfileDiff extends Versioned.OfOne {
  @Parameters(paramLabel = "VERSION", description = "the stored version's number")
  private int before;

  @Parameters(paramLabel = "VERSION", description = "that of the other one")
  private int after;

  ProfileDiff(Console console) {
    super(console, ProfileCommand.KIND);
  }

  @Override
  protected void check() {
    super.check();
    checkVersion(before);
    checkVersion(after);
  }

  @Override
  protected int run(Service service) {
    String old = file(service, before);
    String fresh = file(service, after);
    List<String> hunks = LineDiff.of(lines(old), lines(fresh));
    if (hunks.isEmpty()) {
      console()
          .say(
              old.equals(fresh)
                  ? "the two files are the same"
                  : "the two files differ in the line feed at their end alone");
      return 0;
    }
    console().line("--- " + name() + " " + before);
    console().line("+++ " + name() + " " + after);
    hunks.forEach(console()::line);
    return 0;
  }

  /** Without the empty line that would follow a line feed at the end. */
  private static List<String> lines(String text) {
    String body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    return Arrays.asList(body.split("\n", -1));
  }
}
