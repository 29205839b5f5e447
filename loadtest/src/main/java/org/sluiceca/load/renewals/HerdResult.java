package org.sluiceca.load.renewals;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.sluiceca.load.page.Goals;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.renewals.HerdClient.Renewal;
import org.sluiceca.load.watch.HsmFigures;

/**
 * How two herds renewed.
 *
 * @param capacity certificates a second that the HSM can sign
 * @param start when the first certificate was asked for
 * @param guided renewals by renewal information
 * @param others renewals at two thirds of the life
 * @param failures what clients that did not renew ended with
 * @param hsm of each slice from {@code start} on
 * @param audit what the auditor's program said at the end; empty if it found fault
 */
public record HerdResult(
    String title,
    HerdTerms terms,
    double capacity,
    Instant start,
    List<Renewal> guided,
    List<Renewal> others,
    List<String> failures,
    List<HsmFigures> hsm,
    Ledger ledger,
    String audit) {

  private static final int FAILURES_SHOWN = 3;

  /**
   * What the database has.
   *
   * @param issued certificates of the herds' profile
   * @param known serial numbers that clients have, each once
   * @param lacking of these, how many are not in the ledger
   * @param replaced certificates that another order has replaced
   */
  public record Ledger(long issued, long known, long lacking, long replaced) {}

  private Slices asked(List<Renewal> renewals) {
    return Slices.of(renewals.stream().map(Renewal::asked).toList(), start, terms.slice());
  }

  /** Returns what the HSM signed in each slice in which clients of a herd renewed. */
  private Slices signed(List<Renewal> renewals) {
    List<Integer> of = asked(renewals).counts();
    int first = (int) of.stream().takeWhile(count -> count == 0).count();
    return new Slices(
        IntStream.range(0, Math.max(HerdTerms.SLICES, of.size() - first))
            .map(i -> first + i < hsm.size() ? (int) hsm.get(first + i).signed() : 0)
            .boxed()
            .toList());
  }

  /** Returns what must hold, and whether it does. */
  public Goals goals() {
    Goals goals = new Goals();
    int all = terms.certificates();
    Slices asked = asked(guided);
    Slices signed = signed(guided);
    goals.add(
        "every client renewed",
        failures.isEmpty() && guided.size() == all && others.size() == all,
        failures.stream().limit(FAILURES_SHOWN).toList().toString());
    goals.add(
        "each before its certificate ended", IntStream.of(late(guided), late(others)).sum() == 0);
    goals.add(
        "nothing lost, and nothing issued twice",
        ledger.issued() == 4L * all && ledger.known() == 4L * all && ledger.lacking() == 0,
        ledger.toString());
    goals.add("each certificate was replaced by one order", ledger.replaced() == 2L * all);
    goals.add(
        "with renewal information the busiest hour has 1.2 times the mean, and chance",
        asked.busiest() > 0 && asked.busiest() <= asked.bound(),
        Text.format("%.2f of %.2f", asked.busiest(), asked.bound()));
    goals.add(
        "the same of the HSM's signatures",
        signed.busiest() > 0 && signed.busiest() <= signed.bound(),
        Text.format("%.2f of %.2f", signed.busiest(), signed.bound()));
    goals.add(
        "without, the busiest hour has four times as much at least",
        asked(others).busiest() >= 4 * asked.busiest(),
        Text.format("%.2f", asked(others).busiest()));
    goals.add("the audit trail and the ledger's chains verify", !audit.isEmpty());
    return goals;
  }

  private static int late(List<Renewal> renewals) {
    return (int) renewals.stream().filter(r -> !r.renewed().isBefore(r.expires())).count();
  }

  /** Returns it as a page. */
  public Page page() {
    Table table = new Table("", "with renewal information", "without");
    row(table, "certificates", guided.size() + "", others.size() + "");
    row(table, "busiest hour, in means", ratio(asked(guided)), ratio(asked(others)));
    row(table, "renewals in it", most(asked(guided)), most(asked(others)));
    row(table, "HSM's signatures, in means", ratio(signed(guided)), ratio(signed(others)));
    row(table, "HSM busy in its busiest hour", busy(guided), busy(others));
    row(table, "questions for renewal information", polls(guided), polls(others));
    Table slices = new Table("hour", "with", "without", "HSM signed", "HSM busy");
    List<Integer> with = asked(guided).counts();
    List<Integer> without = asked(others).counts();
    for (int i = 0; i < hsm.size(); i++) {
      slices.add(
          i + "",
          at(with, i) + "",
          at(without, i) + "",
          hsm.get(i).signed() + "",
          Text.format("%.0f %%", 100 * hsm.get(i).utilisation()));
    }
    return new Page(title)
        .paragraph(
            Text.format(
                "A life of %d s; an hour is %.1f s. HSM %.0f/s. Ledger: %d issued. Auditor: %s",
                terms.life().toSeconds(),
                terms.slice().toMillis() / 1000.0,
                capacity,
                ledger.issued(),
                audit))
        .table(table)
        .goals(goals())
        .section("Renewals asked for, by hour", slices, "");
  }

  private static void row(Table table, String name, String with, String without) {
    table.add(name, with, without);
  }

  private static int at(List<Integer> counts, int i) {
    return i < counts.size() ? counts.get(i) : 0;
  }

  private static String ratio(Slices slices) {
    return Text.format("%.2f", slices.busiest());
  }

  private static String most(Slices slices) {
    return "" + slices.day().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  private String busy(List<Renewal> renewals) {
    List<Integer> counts = asked(renewals).counts();
    return Text.format(
        "%.0f %%",
        100
            * IntStream.range(0, Math.min(counts.size(), hsm.size()))
                .filter(i -> counts.get(i) > 0)
                .mapToDouble(i -> hsm.get(i).utilisation())
                .max()
                .orElse(0));
  }

  private static String polls(List<Renewal> renewals) {
    return "" + renewals.stream().mapToInt(Renewal::polls).sum();
  }
}
