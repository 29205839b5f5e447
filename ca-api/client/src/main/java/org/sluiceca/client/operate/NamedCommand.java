package org.sluiceca.client.operate;

import java.util.regex.Pattern;
import org.sluiceca.client.connect.Purpose;
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
}
