package org.sluiceca.load.drill;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.load.drill.client.Clients;
import org.sluiceca.load.drill.client.Granted;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Text;

/** What a drill found: promises with their verdicts, and figures. Used by one thread. */
public final class DrillPage {

  /** More than a drill that passes can have. */
  public static final int FAILURES_SHOWN = 20;

  private final String title;
  private final PrintStream progress;
  private final List<String> promises = new ArrayList<>();
  private final List<String> figures = new ArrayList<>();
  private int broken;

  /** Creates an empty page; each finding is printed to {@code progress} at once. */
  public DrillPage(String title, PrintStream progress) {
    this.title = title;
    this.progress = progress;
  }

  /** Says what is being done. */
  public void say(String text) {
    progress.println("sluice: " + text);
  }

  /** A promise of the drill: one that is not kept makes it fail. */
  public void promise(String what, boolean isKept, String seen) {
    broken += isKept ? 0 : 1;
    String line = Text.format("%s: %s (%s)", isKept ? "kept" : "BROKEN", what, seen);
    promises.add(line);
    say(line);
  }

  /** Something that was seen, and is neither good nor bad. */
  public void figure(String what, String seen) {
    String line = what + ": " + seen;
    figures.add(line);
    say(line);
  }

  /** Promises that clients, which have ended, saw no failure, and what they waited. */
  public void noFailure(Clients clients, boolean isQuiet) {
    List<Clients.Failure> failures = clients.failures();
    promise(
        "no client that obeys Retry-After sees a failure",
        failures.isEmpty() && isQuiet,
        Text.format(
            "%d failures of %d requests%s",
            failures.size(),
            failures.size() + clients.granted().size(),
            Clients.Failure.list(failures, FAILURES_SHOWN)));
    waits(clients);
  }

  /** What clients waited. */
  public void waits(Clients clients) {
    figure("asked to retry", clients.putOff() + " times");
    figure(
        "longest from asking first to having the certificate",
        seconds(clients.longest().toMillis() / 1e3));
  }

  /** Judges that the ledger has all that clients were given, and that they were given something. */
  public void nothingLost(LedgerView ledger, Clients clients) {
    Comparison comparison = ledger.compare(clients.granted());
    promise(
        "nothing that was answered is lost",
        comparison.notThere().isEmpty() && !clients.granted().isEmpty(),
        comparison.toString());
  }

  /** Some serial numbers; the page is for people. */
  static String serials(List<Granted> some) {
    if (some.isEmpty()) {
      return "none";
    }
    Duration span = Duration.between(some.getFirst().at(), some.getLast().at());
    return Text.format(
        "%d certificates answered within %s, first %s, last %s",
        some.size(),
        seconds(span.toMillis() / 1e3),
        some.getFirst().serial(),
        some.getLast().serial());
  }

  /** Seconds with one decimal. */
  public static String seconds(double seconds) {
    return Text.format("%.1f s", seconds);
  }

  /** Returns how many promises were broken. */
  public int broken() {
    return broken;
  }

  /** Returns the page. */
  public String markdown() {
    return new Page(title)
        .paragraph(verdict())
        .heading("Promises")
        .items(promises)
        .heading("Figures")
        .items(figures)
        .markdown();
  }

  /** Returns the last line of a drill. */
  public String verdict() {
    return broken == 0
        ? "verdict: passed, " + promises.size() + " promises kept"
        : "verdict: FAILED, " + broken + " of " + promises.size() + " promises broken";
  }
}
