package org.sluiceca.client.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;

/** Answers that say that a second person must approve first. */
public final class Approvals {
  private static final int ACCEPTED = 202;
  private static final Pattern PLACE =
      Pattern.compile("(?:https?://[^/]+)?/v1/(approvals|revocations)/([0-9a-f-]{36})");

  private Approvals() {}

  /** Whether the act waits for a second person; says so, whether or not messages are wanted. */
  public static boolean waits(Reply reply, Console console) {
    if (reply.status() != ACCEPTED) {
      return false;
    }
    Matcher place = PLACE.matcher(reply.headers().firstValue("Location").orElse(""));
    if (!place.matches()) {
      throw Failure.of("the service accepted this, but does not say what it waits for");
    }
    if (place.group(1).equals("revocations")) {
      return false;
    }
    console.note(
        "nothing is done yet: another administrator must run sluice approval show %s, read it, and"
            + " approve",
        place.group(2));
    return true;
  }
}
