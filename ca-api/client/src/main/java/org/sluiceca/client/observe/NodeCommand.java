package org.sluiceca.client.observe;

import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import picocli.CommandLine.Option;

/** A command about nodes that any credential may ask. */
abstract class NodeCommand extends ServiceCommand {
  @Option(names = "--as-admin", description = "use the administrator's credential")
  private boolean asAdmin;

  NodeCommand(Console console) {
    super(console);
  }

  @Override
  protected final Purpose purpose() {
    return asAdmin ? Purpose.ADMINISTER : Purpose.ENROLL;
  }
}
