package org.sluiceca.hsm.limit.lease;

import java.util.Collection;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.Sample;
import org.sluiceca.hsm.limit.Targets;

/**
 * What the leader saw of a token in its last period, for metrics.
 *
 * @param nodes that reported
 * @param width of the window of all, jobs
 * @param pace what the base delays are multiplied by: 2 at half the calibrated speed
 * @param delaySeconds mean delay inside the token; NaN if nothing was signed
 * @param targetSeconds the delay that it aims at; NaN if nothing was signed
 * @param capacity signatures a second that the token is thought to make; NaN if nothing was signed
 * @param jain fairness of rates among the nodes that wanted more than they had: 1 is fair
 */
public record LeaderView(
    int nodes,
    double width,
    double pace,
    double delaySeconds,
    double targetSeconds,
    double capacity,
    double jain) {

  static LeaderView of(Collection<NodeReport> reports, Sample raw, SharedWindow window) {
    Sample seen = raw.at(window.pace());
    boolean isEmpty = seen.completions() == 0;
    return new LeaderView(
        reports.size(),
        window.width(),
        window.pace(),
        isEmpty ? Double.NaN : seen.meanDelay(),
        isEmpty ? Double.NaN : Targets.all(seen),
        isEmpty ? Double.NaN : window.engines() / seen.meanService(),
        jain(reports));
  }

  /** Jain's index: 1 / n when one of n has all. */
  private static double jain(Collection<NodeReport> reports) {
    double[] rates =
        reports.stream()
            .filter(r -> r.demand() > r.width())
            .mapToDouble(r -> r.sample().rate())
            .toArray();
    double sum = 0;
    double squares = 0;
    for (double rate : rates) {
      sum += rate;
      squares += rate * rate;
    }
    return squares == 0 ? 1 : sum * sum / (rates.length * squares);
  }
}
