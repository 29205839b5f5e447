package org.sluiceca.load.orders;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.sluiceca.load.watch.HsmFigures;

/**
 * What came of the orders.
 *
 * @param sentSeconds until all were confirmed
 * @param seconds until all had ended
 * @param capacity certificates a second that the HSM can sign
 * @param failedStarts how often a killed node did not start in the launcher's time
 * @param statuses results of lines by status
 * @param audit what the auditor's program said at the end; empty if it found fault
 */
public record OrdersResult(
    String title,
    int orders,
    double sentSeconds,
    double seconds,
    double capacity,
    int kills,
    int failedStarts,
    Map<Integer, Integer> statuses,
    HsmFigures hsm,
    OrderCounts.Counted counted,
    String audit) {

  /** Returns what must hold, and whether it does. */
  Map<String, Boolean> goals() {
    Map<String, Boolean> goals = new LinkedHashMap<>();
    goals.put(
        "every order was recorded once", counted.keys() == orders && counted.intents() == orders);
    goals.put("every order has ended", counted.pending() == 0);
    goals.put("all were issued, none failed", counted.issued() == orders && counted.failed() == 0);
    goals.put("none was issued twice", counted.issuedKeys() == counted.issued());
    goals.put("nodes were killed meanwhile", kills > 0);
    goals.put("orders waited in the backlog", counted.taken() > orders / 2);
    goals.put("the audit trail and the ledger's chains verify", !audit.isEmpty());
    return goals;
  }

  /** Returns how many goals were missed. */
  public long missed() {
    return goals().values().stream().filter(met -> !met).count();
  }

  /** Returns it as a page. */
  public String markdown() {
    StringBuilder page = new StringBuilder("# " + title + "\n\n");
    page.append(
        String.format(
            Locale.ROOT,
            """
        | | |
        |---|---|
        | orders | %d, confirmed after %.0f s, all ended after %.0f s |
        | issued | %d, failed %d, pending %d |
        | a second, from first to last | %.1f, of %.0f that the HSM can sign |
        | HSM | busy %.1f %%, signed %d, queue p99 %d |
        | nodes killed | %d, %d starts failed; %d orders finished by the second taker or a later one |
        | results of lines, by status | %s |
        | auditor | %s |

        """,
            orders,
            sentSeconds,
            seconds,
            counted.issued(),
            counted.failed(),
            counted.pending(),
            counted.issued() / seconds,
            capacity,
            100 * hsm.utilisation(),
            hsm.signed(),
            hsm.queueP99(),
            kills,
            failedStarts,
            counted.takenOver(),
            statuses,
            audit));
    goals()
        .forEach(
            (goal, met) -> page.append(met ? "- met: " : "- MISSED: ").append(goal).append('\n'));
    return page.toString();
  }
}
