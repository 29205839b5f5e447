package org.sluiceca.load.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.sluiceca.load.page.Text;

/**
 * Whether what was measured may be believed.
 *
 * @param faults what makes the figures worthless
 * @param doubts what a reader must know in addition to them
 */
record Honesty(List<String> faults, List<String> doubts) {

  /** Above this, other work has taken part in the result. */
  private static final double OTHERS_SHARE_MAX = 0.10;

  /** With fewer, what a library keeps of a key it has seen is measured with it. */
  private static final int REQUESTS_MIN = 1_000;

  private static final String REQUESTS = "distinct requests";
  private static final String WARM_UP = "warm-up s";

  /** What a figure is worth nothing without; connections are the load's name. */
  private static final List<String> STATED =
      List.of("commit", "load average before", REQUESTS, WARM_UP);

  /** Judges all runs and stores. */
  static Honesty of(Measured measured) {
    List<String> faults = new ArrayList<>();
    List<String> doubts = new ArrayList<>();
    for (Run.Subject subject : measured.subjects()) {
      judgeStore(measured, subject, faults);
    }
    for (Run run : measured.runs()) {
      judgeRun(run, faults, doubts);
    }
    judgeRounds(measured, faults);
    judgeFacts(measured, faults, doubts);
    return new Honesty(List.copyOf(faults), List.copyOf(doubts));
  }

  private static void judgeFacts(Measured measured, List<String> faults, List<String> doubts) {
    for (String name : STATED) {
      if (!measured.facts().containsKey(name)) {
        faults.add("not stated: " + name);
      }
    }
    double requests = number(measured, REQUESTS);
    if (!(requests >= REQUESTS_MIN)) {
      doubts.add(
          Text.format(
              "%s distinct requests, where %d are the least",
              measured.fact(REQUESTS), REQUESTS_MIN));
    }
    if (!(number(measured, WARM_UP) > 0)) {
      doubts.add("no warm-up: what is measured is the JIT compiler, too");
    }
  }

  private static double number(Measured measured, String fact) {
    try {
      return Double.parseDouble(measured.fact(fact));
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /**
   * What was answered is stored, and nothing that was not asked for. What was under way when a load
   * ended is stored and was not answered: so the store lies between the two counts.
   */
  private static void judgeStore(Measured measured, Run.Subject subject, List<String> faults) {
    List<Run> runs = measured.of(subject);
    long issued = runs.stream().mapToLong(run -> run.issued()).sum();
    long sent = runs.stream().mapToLong(run -> run.sent()).sum();
    List<Store> stores =
        measured.stores().stream().filter(store -> store.subject().equals(subject)).toList();
    if (stores.size() != 1) {
      faults.add(subject + ": its store was counted " + stores.size() + " times");
      return;
    }
    Store store = stores.getFirst();
    if (store.added() < issued) {
      faults.add(
          Text.format(
              "%s: %d certificates were answered, %d are stored", subject, issued, store.added()));
    }
    if (store.added() > sent) {
      faults.add(
          Text.format(
              "%s: %d requests were sent, %d certificates are stored",
              subject, sent, store.added()));
    }
    if (!store.verified().equals("ok")) {
      faults.add(subject + ": its certificate does not verify: " + store.verified());
    }
  }

  private static void judgeRun(Run run, List<String> faults, List<String> doubts) {
    String name = run.name();
    if (run.issued() == 0) {
      faults.add(name + ": nothing was issued");
    }
    if (run.sent() < run.issued() + run.other()) {
      faults.add(
          Text.format(
              "%s: %d answers to %d requests", name, run.issued() + run.other(), run.sent()));
    }
    if (!run.isMeasured()) {
      return;
    }
    if (run.refused() > 0) {
      doubts.add(
          Text.format(
              "%s: %d answers without a certificate, %d connections failed",
              name, run.other(), run.errors()));
    }
    if (run.othersShare() > OTHERS_SHARE_MAX) {
      doubts.add(
          Text.format(
              "%s: other processes had %.0f %% of the processors", name, 100 * run.othersShare()));
    }
  }

  /** Every CA had every load as often: else a ratio compares different minutes. */
  private static void judgeRounds(Measured measured, List<String> faults) {
    for (String load : measured.loads()) {
      TreeSet<Integer> all = new TreeSet<>();
      for (Run.Subject subject : measured.subjects()) {
        measured.of(subject, load).forEach(run -> all.add(run.round()));
      }
      for (Run.Subject subject : measured.subjects()) {
        List<Integer> own =
            measured.of(subject, load).stream().map(run -> run.round()).sorted().toList();
        if (!own.equals(List.copyOf(all))) {
          faults.add(Text.format("%s, %s: rounds %s of %s", subject, load, own, all));
        }
      }
    }
  }
}
