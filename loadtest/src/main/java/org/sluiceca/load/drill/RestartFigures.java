package org.sluiceca.load.drill;

import java.util.ArrayList;
import java.util.List;
import org.sluiceca.load.drill.client.Waits;
import org.sluiceca.load.judge.Percentiles;
import org.sluiceca.load.page.Text;

/**
 * What clients wait in each part of a drill, next to what they wait in its first part. A request
 * belongs to the part in which it is due. Used by one thread.
 */
final class RestartFigures {

  private final List<Part> parts = new ArrayList<>();

  private record Part(String name, long fromNanos) {}

  /** A part begins, and the one before ends. */
  void begin(String name, long nanos) {
    parts.add(new Part(name, nanos));
  }

  /**
   * Adds the figures of all parts to a page.
   *
   * @param waits of clients that have ended
   * @param endNanos when the last part ended
   */
  void show(Waits waits, long endNanos, DrillPage page) {
    double before = Double.NaN;
    double worst = Double.NaN;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      long until = i + 1 < parts.size() ? parts.get(i + 1).fromNanos() : endNanos;
      Percentiles millis = waits.millis(part.fromNanos(), until);
      double p99 = millis.at(0.99);
      String shown =
          Text.format(
              "p50 %s ms, p99 %s ms, %d requests in %s",
              Text.number(millis.at(0.5), 1),
              Text.number(p99, 1),
              waits.count(part.fromNanos(), until),
              DrillPage.seconds((until - part.fromNanos()) / 1e9));
      if (i == 0) {
        before = p99;
        page.figure(part.name(), shown);
      } else {
        double ratio = p99 / before;
        worst = Double.isNaN(worst) || ratio > worst ? ratio : worst;
        page.figure(part.name(), shown + ", p99 " + times(ratio));
      }
    }
    page.figure("p99 at worst", times(worst));
  }

  private static String times(double ratio) {
    return Text.number(ratio, 1) + " times that before the restarts";
  }
}
