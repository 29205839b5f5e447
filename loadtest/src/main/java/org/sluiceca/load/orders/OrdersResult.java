package org.sluiceca.load.orders;

import java.util.Map;
import org.sluiceca.load.page.Goals;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;
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
  public Goals goals() {
    Goals goals = new Goals();
    goals.add(
        "every order was recorded once", counted.keys() == orders && counted.intents() == orders);
    goals.add("every order has ended", counted.pending() == 0);
    goals.add("all were issued, none failed", counted.issued() == orders && counted.failed() == 0);
    goals.add("none was issued twice", counted.issuedKeys() == counted.issued());
    goals.add("nodes were killed meanwhile", kills > 0);
    goals.add("orders waited in the backlog", counted.taken() > orders / 2);
    goals.add("the audit trail and the ledger's chains verify", !audit.isEmpty());
    return goals;
  }

  /** Returns it as a page. */
  public Page page() {
    Table table = new Table("", "");
    table.add(
        "orders",
        Text.format(
            "%d, confirmed after %.0f s, all ended after %.0f s", orders, sentSeconds, seconds));
    table.add(
        "issued",
        Text.format(
            "%d, failed %d, pending %d", counted.issued(), counted.failed(), counted.pending()));
    table.add(
        "a second, from first to last",
        Text.format("%.1f, of %.0f that the HSM can sign", counted.issued() / seconds, capacity));
    table.add(
        "HSM",
        Text.format(
            "busy %.1f %%, signed %d, queue p99 %d",
            100 * hsm.utilisation(), hsm.signed(), hsm.queueP99()));
    table.add(
        "nodes killed",
        Text.format(
            "%d, %d starts failed; %d orders finished by the second taker or a later one",
            kills, failedStarts, counted.takenOver()));
    table.add("results of lines, by status", statuses.toString());
    table.add("auditor", audit);
    return new Page(title).table(table).goals(goals());
  }
}
