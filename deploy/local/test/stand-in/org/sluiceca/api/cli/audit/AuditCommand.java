package org.sluiceca.api.cli.audit;

/** Stands in for the audit command: says how it was called, and finds something in export alone. */
public final class AuditCommand {
  private AuditCommand() {}

  public static void main(String[] arguments) {
    System.out.println("called: " + String.join(" ", arguments));
    System.exit(arguments.length > 0 && arguments[0].equals("export") ? 1 : 0);
  }
}
