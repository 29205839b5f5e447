package org.sluiceca.client.http;

import org.sluiceca.client.output.Console;

/** Answers that say that a second person must approve first. */
public final class Approvals {
  private static final int ACCEPTED = 202;

  private Approvals() {}

  /** Whether the act waits for a second person; says so. */
  public static boolean waits(Reply reply, Console console) {
    String location = reply.headers().firstValue("Location").orElse("");
    if (reply.status() != ACCEPTED || !location.startsWith("/v1/approvals/")) {
      return false;
    }
    console.say(
        "nothing is done yet: another administrator must run sluice approval show %s, read it, and"
            + " approve",
        location.substring("/v1/approvals/".length()));
    return true;
  }
}
