package org.sluiceca.load.day;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.day.state.Entry;
import org.sluiceca.load.day.state.Journal;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.watch.ProcessTimes;
import org.sluiceca.load.watch.TrialNodes;

/**
 * Journals every ten seconds what the certificates since then have cost the processors. Used by one
 * thread.
 */
final class CostWatch {

  private static final long EVERY_NANOS = 10_000_000_000L;

  /** The kernel's tick is a hundredth of a second. */
  private static final int TOLD_EVERY = 6;

  private static final long TICK_MICROS = 10_000;

  private final TrialNodes nodes;
  private final Path postmaster;
  private final BlockSender sender;
  private final Journal journal;

  /** How many were stored before the sender began. */
  private final long before;

  private final PrintStream progress;
  private final long certificates;

  private ProcessTimes times;
  private long atNanos;
  private long fresh;
  private double perSecond;
  private int samples;

  /** Begins to look now: batches are about to be sent. */
  CostWatch(
      TrialNodes nodes,
      BlockSender sender,
      Journal journal,
      long before,
      PrintStream progress,
      long certificates) {
    this.nodes = nodes;
    this.postmaster = nodes.file("postgres/data/postmaster.pid");
    this.sender = sender;
    this.journal = journal;
    this.before = before;
    this.progress = progress;
    this.certificates = certificates;
    this.times = ProcessTimes.read(nodes.pids(), postmaster);
    this.atNanos = System.nanoTime();
    this.fresh = sender.fresh();
  }

  /** Returns how many certificates are stored by now. */
  long stored() {
    return before + sender.answered();
  }

  /** Journals what has happened, if ten seconds are over. */
  void look() {
    if (System.nanoTime() - atNanos >= EVERY_NANOS) {
      end();
      if (++samples % TOLD_EVERY == 0) {
        progress.println(
            Text.format(
                "sluice: %,d of %,d certificates, %.0f/s, load average %.1f",
                stored(), certificates, perSecond, ProcessTimes.loadAverage()));
      }
    }
  }

  /** Journals what has happened since the last look. */
  void end() {
    ProcessTimes now = ProcessTimes.read(nodes.pids(), postmaster);
    long nanos = System.nanoTime();
    long count = sender.fresh();
    ProcessTimes used = now.since(times);
    try {
      journal.append(
          new Entry.Sampled(
              System.currentTimeMillis(),
              stored(),
              count - fresh,
              (nanos - atNanos) / 1_000,
              used.nodes() * TICK_MICROS,
              used.database() * TICK_MICROS,
              used.generator() * TICK_MICROS,
              used.busy() * TICK_MICROS,
              used.all() * TICK_MICROS));
    } catch (IOException e) {
      throw new TrialException("cannot write the journal", e);
    }
    perSecond = (count - fresh) * 1e9 / (nanos - atNanos);
    times = now;
    atNanos = nanos;
    fresh = count;
  }
}
