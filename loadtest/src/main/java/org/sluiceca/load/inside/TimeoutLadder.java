package org.sluiceca.load.inside;

import java.util.ArrayList;
import java.util.List;
import org.sluiceca.load.drive.Sender;
import org.sluiceca.load.page.Text;

/**
 * The timeouts on the way of one certificate, each within the one above: so the one below ends
 * first, and the waiter above learns what it was.
 *
 * @param sides from the client, and from the claim on an accepted request, down to a signature of
 *     each HSM
 */
public record TimeoutLadder(List<List<Rung>> sides) {

  private static final String DEADLINE = "ca_deadline_seconds";
  private static final String CALL = "ca_hsm_call_timeout_seconds";
  private static final String BASE = "ca_hsm_base_delay_seconds";

  /** Copies. */
  public TimeoutLadder {
    sides = sides.stream().map(List::copyOf).toList();
  }

  /**
   * One timeout.
   *
   * @param seconds NaN if no node reported it
   */
  public record Rung(String what, double seconds) {}

  /** Of a run that looked at no node. */
  public static TimeoutLadder none() {
    return new TimeoutLadder(List.of());
  }

  /**
   * Returns the ladder that a node's metrics report.
   *
   * @param answerSeconds what clients ask for by {@code Prefer: wait}
   * @param hsms by name
   */
  public static TimeoutLadder of(double answerSeconds, List<String> hsms, List<Meter> said) {
    List<List<Rung>> sides = new ArrayList<>();
    for (String hsm : hsms) {
      List<Rung> below =
          List.of(
              new Rung("a call in the token " + hsm, value(said, CALL, "hsm", hsm)),
              new Rung("the slowest signature alone in " + hsm, slowest(said, hsm)));
      sides.add(
          joined(
              List.of(
                  new Rung("the client waits for bytes", Sender.PATIENCE_MILLIS / 1e3),
                  new Rung("its answer is due", answerSeconds)),
              below));
      sides.add(
          joined(
              List.of(
                  new Rung("the node's claim on what it promised", deadline(said, "claim")),
                  new Rung("its signature is due", deadline(said, "signature"))),
              below));
    }
    return new TimeoutLadder(sides);
  }

  private static List<Rung> joined(List<Rung> above, List<Rung> below) {
    List<Rung> all = new ArrayList<>(above);
    all.addAll(below);
    return all;
  }

  private static double deadline(List<Meter> said, String wait) {
    return value(said, DEADLINE, "wait", wait);
  }

  private static double value(List<Meter> said, String name, String label, String value) {
    return Meter.find(said, name, label, value).orElse(Double.NaN);
  }

  /** Of all kinds of keys, and of all groups of engines: {@code far} and {@code far/ec}. */
  private static double slowest(List<Meter> said, String hsm) {
    return said.stream()
        .filter(meter -> meter.name().equals(BASE))
        .filter(meter -> (meter.labels().getOrDefault("hsm", "") + "/").startsWith(hsm + "/"))
        .mapToDouble(Meter::value)
        .max()
        .orElse(Double.NaN);
  }

  /** Returns what is not shorter than what it stands within, or not known; each once. */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (List<Rung> side : sides) {
      for (int i = 1; i < side.size(); i++) {
        Rung above = side.get(i - 1);
        Rung below = side.get(i);
        if (!(below.seconds() < above.seconds())) {
          faults.add(
              Text.format(
                  "%s (%s s) within %s (%s s)",
                  below.what(), below.seconds(), above.what(), above.seconds()));
        }
      }
    }
    return faults.stream().distinct().toList();
  }
}
