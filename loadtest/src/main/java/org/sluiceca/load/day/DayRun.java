package org.sluiceca.load.day;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.day.state.Block;
import org.sluiceca.load.day.state.DayPlan;
import org.sluiceca.load.day.state.Entry;
import org.sluiceca.load.day.state.Folder;
import org.sluiceca.load.day.state.History;
import org.sluiceca.load.day.state.Journal;
import org.sluiceca.load.day.state.MarkFigures;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.watch.Calibrations;
import org.sluiceca.load.watch.HsmDevices;
import org.sluiceca.load.watch.HsmMaker;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.TrialNodes;

/**
 * A session of a run of a day, on a trial that it starts: goes on where the one before it ended,
 * however it ended. Who calls it ends the trial.
 *
 * @param maker of the simulated HSM; empty for a token of the trial's own
 * @param folder where the run's files are
 */
public record DayRun(
    DayPlan plan, TrialNodes nodes, Optional<HsmMaker> maker, Folder folder, PrintStream progress) {

  /** An Idempotency-Key stands for its request for seven days (docs/protocols/REST.md). */
  private static final Duration KEYS_LAST = Duration.ofDays(6);

  /** For checkpoints, and for the results. */
  private static final long ROOM_MIN = 2_000_000_000L;

  /**
   * What a run has come to.
   *
   * @param marks those that are measured
   */
  public record Result(DayPlan plan, History history, List<MarkFigures> marks) {

    /** Returns whether all is done. */
    public boolean isOver() {
      return marks.size() == plan.marks().size();
    }
  }

  /**
   * Runs a session: blocks until the last mark is measured, or for this time and what is under way
   * then.
   *
   * @throws IOException if files cannot be read or written, or another session works on them
   * @throws GeneralSecurityException if this JDK lacks what every JDK has
   */
  public Result run(Duration longest) throws IOException, GeneralSecurityException {
    try (Journal journal = Journal.open(folder.path().resolve("journal"))) {
      History before = new History(journal.entries());
      requireYoung(before);
      long deadline = System.nanoTime() + longest.toNanos();
      // Those of a session that was killed may live.
      nodes.down();
      if (firstOpen() < plan.marks().size()) {
        session(journal, before, deadline);
      }
      List<MarkFigures> marks = new ArrayList<>();
      for (int mark = 0; mark < firstOpen(); mark++) {
        marks.add(folder.mark(mark).orElseThrow());
      }
      return new Result(plan, new History(journal.entries()), marks);
    }
  }

  private static void requireYoung(History history) {
    long last = history.lastMillis().orElse(Long.MAX_VALUE);
    if (System.currentTimeMillis() - last > KEYS_LAST.toMillis()) {
      throw new TrialException(
          Text.format(
              "the run was left for more than %d days: what was under way then could be issued twice",
              KEYS_LAST.toDays()));
    }
  }

  /** The first mark that is not measured. */
  private int firstOpen() throws IOException {
    int mark = 0;
    while (mark < plan.marks().size() && folder.mark(mark).isPresent()) {
      mark++;
    }
    return mark;
  }

  private void session(Journal journal, History before, long deadline)
      throws IOException, GeneralSecurityException {
    Optional<HsmDevices> hsm = maker.map(it -> it.isMade() ? it.again() : it.make());
    progress.println("sluice: starting " + plan.nodes() + " node(s)");
    nodes.up(plan.nodes());
    if (maker.isPresent()) {
      Calibrations.require(maker.get().measuredNames(), nodes);
    }
    DayLedger ledger = new DayLedger(nodes.ledger());
    if (folder.baseBytes().isEmpty()) {
      folder.keepBase(ledger.store().stream().mapToLong(MarkFigures.Relation::bytes).sum());
    }
    SSLContext tls = nodes.tls();
    try (NodeAddresses doors = new NodeAddresses(nodes, tls)) {
      BlockSender sender =
          new BlockSender(
              new BatchClient(tls.getSocketFactory()), new CsrGenerator(), tokens(doors));
      MarkRun.Trial trial = new MarkRun.Trial(nodes, doors, tls, hsm);
      int session = before.nextSession();
      journal.append(new Entry.Began(now(), session, ledger.walOctets()));
      long stored = before.answered();
      boolean isTimeUp = false;
      for (int mark = firstOpen(); mark < plan.marks().size() && !isTimeUp; mark++) {
        isTimeUp = !issue(mark, journal, sender, stored, deadline);
        if (!isTimeUp) {
          measure(mark, journal, trial, ledger);
        }
      }
      journal.append(new Entry.Ended(now(), session));
    }
  }

  private static long now() {
    return System.currentTimeMillis();
  }

  private Map<String, String> tokens(NodeAddresses doors) {
    List<String> names = new ArrayList<>(DayPlan.requesters());
    IntStream.range(0, plan.marks().size()).mapToObj(DayPlan::revokedRequester).forEach(names::add);
    Map<String, String> tokens = new HashMap<>();
    names.forEach(name -> tokens.put(name, doors.register(name, "tls-server")));
    return tokens;
  }

  /** Sends what a mark's stretch lacks; false if time was up before. */
  private boolean issue(int mark, Journal journal, BlockSender sender, long stored, long deadline)
      throws IOException {
    History history = new History(journal.entries());
    List<Block> blocks =
        plan.blocks(mark).stream().filter(block -> !history.isDone(block)).toList();
    if (blocks.isEmpty()) {
      return true;
    }
    List<Integer> ports =
        IntStream.range(0, plan.nodes()).map(node -> nodes.httpsPort() + node).boxed().toList();
    CostWatch costs = new CostWatch(nodes, sender, journal, stored, progress, plan.certificates());
    Path work = folder.path();
    new BatchFlow(sender, journal, ports)
        .run(
            blocks,
            () -> System.nanoTime() - deadline > 0,
            () -> {
              costs.look();
              requireRoom(work);
            });
    costs.end();
    History after = new History(journal.entries());
    return blocks.stream().allMatch(after::isDone);
  }

  /** A full disk would end the database in the middle of its work, and this run's files with it. */
  private static void requireRoom(Path folder) {
    if (folder.toFile().getUsableSpace() < ROOM_MIN) {
      throw new TrialException("less than 2 GB are left on the disk of " + folder);
    }
  }

  private void measure(int mark, Journal journal, MarkRun.Trial trial, DayLedger ledger)
      throws IOException, GeneralSecurityException {
    journal.append(new Entry.Paused(now(), mark, ledger.walOctets()));
    progress.println("sluice: mark of " + plan.marks().get(mark) + " certificates");
    MarkFigures figures =
        new MarkRun(trial, plan, folder, progress).measure(mark, new History(journal.entries()));
    folder.keep(figures);
    figures.books().faults().forEach(fault -> progress.println("sluice: FAULT: " + fault));
    journal.append(new Entry.Went(now(), mark, ledger.walOctets()));
  }
}
