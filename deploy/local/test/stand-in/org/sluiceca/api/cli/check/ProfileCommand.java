package org.sluiceca.api.cli.check;

/** Stands in for the profile command: says how it was called, and ends as the first argument asks. */
public final class ProfileCommand {
  private ProfileCommand() {}

  public static void main(String[] arguments) {
    System.out.println("called: " + String.join(" ", arguments));
    System.exit(arguments.length > 0 && arguments[0].equals("lint") ? 1 : 0);
  }
}
