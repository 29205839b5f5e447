package org.sluiceca.client.operate;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
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
final class ProfileDiff extends ProfileCommand.OfOne {
  @Parameters(paramLabel = "VERSION", description = "the stored version's number")
  private int before;

  @Parameters(paramLabel = "VERSION", description = "that of the other one")
  private int after;

  ProfileDiff(Console console) {
    super(console);
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

  private String file(Service service, int version) {
    Reply reply =
        service.ask(
            new Call(
                "GET",
                path() + "/versions/" + version,
                Map.of("Accept", "application/yaml"),
                new byte[0]));
    if (reply.body().length > ProfileCommand.FILE_MAX) {
      throw Failure.of("version " + version + " is longer than a profile can be");
    }
    return reply.text();
  }

  /** Without the empty line that would follow a line feed at the end. */
  private static List<String> lines(String text) {
    String body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    return Arrays.asList(body.split("\n", -1));
  }
}
