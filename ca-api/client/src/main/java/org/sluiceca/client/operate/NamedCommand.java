package org.sluiceca.client.operate;

import java.util.regex.Pattern;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Approvals;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Parameters;

/** An administrator's command about one profile or issuer, which its first argument names. */
abstract class NamedCommand extends ServiceCommand {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");

  private final String kind;

  @Parameters(paramLabel = "NAME", description = "its name")
  private String name = "";

  /** For things of a kind, such as "a profile". */
  NamedCommand(Console console, String kind) {
    super(console);
    this.kind = kind;
  }

  @Override
  protected final Purpose purpose() {
    return Purpose.ADMINISTER;
  }

  @Override
  protected void check() {
    if (!NAME.matcher(name).matches()) {
      throw Failure.usage("'" + name + "' is not " + kind + "'s name");
    }
  }

  final String name() {
    return name;
  }

  /** Says what an act has done, or that it waits for a second person; returns the exit code. */
  final int acted(Reply reply, String done) {
    if (!Approvals.waits(reply, console())) {
      console().say("%s", done);
    }
    return 0;
  }
}
