package org.sluiceca.client.operate;

import java.util.UUID;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Parameters;

/** An administrator's command about one thing whose id, a UUID, is its first argument. */
public abstract class IdCommand extends ServiceCommand {
  private final String kind;

  @Parameters(paramLabel = "ID", description = "as `list` prints it")
  private String id = "";

  /** For things of a kind, such as "an approval". */
  protected IdCommand(Console console, String kind) {
    super(console);
    this.kind = kind;
  }

  @Override
  protected final Purpose purpose() {
    return Purpose.ADMINISTER;
  }

  @Override
  protected void check() {
    id = uuid(id, kind);
  }

  /** The id in small letters; fails if it is not a UUID, the id of a thing of this kind. */
  public static String uuid(String id, String kind) {
    try {
      return UUID.fromString(id).toString();
    } catch (IllegalArgumentException e) {
      throw Failure.usage("'" + id + "' is not the id of " + kind);
    }
  }

  /** The id, in small letters. */
  protected final String id() {
    return id;
  }
}
