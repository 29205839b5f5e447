package org.sluiceca.api.console.live.feed;

import java.util.Locale;

/** Why requests are refused, in words. */
public final class Causes {

  private Causes() {}

  /** Returns what a cause of the admission means; of one that is not known here, its name. */
  public static String explanation(String cause) {
    return switch (cause) {
      case "saturated" -> "every place on the line is taken.";
      case "over_share" -> "a requester wants more than its fair share of the line.";
      case "over_quota" -> "a requester has used up its quota of this node.";
      case "deadline_unreachable" -> "the work ahead would outlast the requests' deadlines.";
      case "signer_lost" -> "no HSM can sign.";
      case "orders_over_quota" -> "a requester has as many orders waiting as it may.";
      case "backlog_full" -> "the order backlog is full.";
      case "draining" -> "the node is leaving.";
      default -> words(cause) + ".";
    };
  }

  /** Returns the stage at which a cause of the admission is found. */
  static String stage(String cause) {
    return switch (cause) {
      case "signer_lost" -> "hsm";
      case "deadline_unreachable" -> "lanes";
      default -> "admission";
    };
  }

  /** Returns a name from metrics as words. */
  public static String words(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
