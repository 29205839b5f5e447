package org.sluiceca.load.day.state;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the journal of a run says: which blocks are done, and what each session did; {@link #costs}
 * returns what certificates cost on the way.
 */
public final class History {

  private final List<Entry> entries;
  private final BitSet done = new BitSet();
  private long answered;
  private long fingerprint;
  private long replayed;
  private long repeated;

  /** Of these entries, in the order of the journal. */
  public History(List<Entry> entries) {
    this.entries = List.copyOf(entries);
    for (Entry entry : entries) {
      if (entry instanceof Entry.Issued issued) {
        note(issued);
      }
    }
  }

  private void note(Entry.Issued issued) {
    if (done.get(issued.block())) {
      repeated++;
      return;
    }
    done.set(issued.block());
    answered += issued.count();
    fingerprint ^= issued.fingerprint();
    replayed += issued.replayed();
  }

  /** Returns whether each line of a block has its certificate. */
  public boolean isDone(Block block) {
    return done.get(block.index());
  }

  /** Returns how many certificates of blocks that are done were answered. */
  public long answered() {
    return answered;
  }

  /** Returns the fingerprint of their serial numbers. */
  public long fingerprint() {
    return fingerprint;
  }

  /** Returns how many of them were asked for more than once, and answered alike. */
  public long replayed() {
    return replayed;
  }

  /** Returns how many blocks stand in the journal a second time, which none may. */
  public long repeated() {
    return repeated;
  }

  /** Returns the number of the next session. */
  public int nextSession() {
    return (int) entries.stream().filter(Entry.Began.class::isInstance).count();
  }

  /** Returns when the last entry was written; empty if there is none. */
  public Optional<Long> lastMillis() {
    return entries.isEmpty() ? Optional.empty() : Optional.of(entries.getLast().atMillis());
  }

  /**
   * A session as it is reported.
   *
   * @param hours from its first entry to its last
   * @param issuingHours of them in which batches were under way
   * @param certificates whose blocks it finished
   * @param hasEnded whether in order, not by a kill
   */
  public record Session(
      int number,
      long beganMillis,
      double hours,
      double issuingHours,
      long certificates,
      boolean hasEnded) {

    /** Returns certificates a second while batches were under way. */
    public double perSecond() {
      return issuingHours == 0 ? Double.NaN : certificates / (issuingHours * 3600);
    }
  }

  /** Returns all sessions in order. */
  public List<Session> sessions() {
    List<Session> sessions = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) instanceof Entry.Began began) {
        int end = i + 1;
        while (end < entries.size() && !(entries.get(end) instanceof Entry.Began)) {
          end++;
        }
        sessions.add(session(began, entries.subList(i, end)));
      }
    }
    return sessions;
  }

  private static Session session(Entry.Began began, List<Entry> own) {
    long certificates = 0;
    long issuing = 0;
    long since = began.atMillis();
    boolean isPaused = false;
    for (Entry entry : own) {
      switch (entry) {
        case Entry.Issued issued -> certificates += issued.count();
        case Entry.Paused paused -> {
          issuing += isPaused ? 0 : paused.atMillis() - since;
          isPaused = true;
        }
        case Entry.Went went -> {
          since = went.atMillis();
          isPaused = false;
        }
        case Entry.Began ignored -> since = began.atMillis();
        case Entry.Sampled ignored -> {}
        case Entry.Ended ignored -> {}
      }
    }
    long last = own.getLast().atMillis();
    issuing += isPaused ? 0 : last - since;
    return new Session(
        began.session(),
        began.atMillis(),
        (last - began.atMillis()) / 3.6e6,
        issuing / 3.6e6,
        certificates,
        own.getLast() instanceof Entry.Ended);
  }

  /** Returns what certificates cost, anywhere on the way. */
  public Costs costs() {
    return new Costs(entries);
  }

  /**
   * Returns the octets of write-ahead log for each certificate of a mark's stretch, whatever else
   * was written meanwhile; empty if it is not known where it began.
   */
  public OptionalDouble walOctets(int mark, long certificates) {
    long from = -1;
    for (Entry entry : entries) {
      if (entry instanceof Entry.Began began && from < 0 && mark == 0) {
        from = began.walOctets();
      } else if (entry instanceof Entry.Went went && went.mark() == mark - 1) {
        from = went.walOctets();
      } else if (entry instanceof Entry.Paused paused && paused.mark() == mark && from >= 0) {
        return OptionalDouble.of((double) (paused.walOctets() - from) / certificates);
      }
    }
    return OptionalDouble.empty();
  }
}
