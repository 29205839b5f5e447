package org.sluiceca.api.renewal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.renewal.store.RateStore;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.renewal.RevocationBacklog;

/**
 * The delays of certificates that were revoked alone. Anyone may ask, so what is asked of the
 * database is bounded: one question at a time, each of a bounded number of rows; the backlog is
 * read once for each minute and kept, since it depends on earlier rows alone; an answer is given
 * again for a minute; and after a failure nothing is asked about the same minute for half a minute.
 * Thread-safe; blocks for two seconds, and then for three queries, at most.
 */
final class SingleRevocations {

  /** What is known of single revocations, in {@link RateStore}'s words. */
  interface Source {

    /** Returns the spare rate at a time, above 0. */
    double at(Instant time);

    /** Returns the backlog before a time, in seconds. */
    double backlogSeconds(Instant time, double perSecond, boolean ofCompromised);

    /** Returns how many were revoked from one time to before another. */
    long ahead(Instant from, Instant before, boolean ofCompromised);
  }

  static final Duration ANSWER_FOR = Duration.ofMinutes(1);
  static final Duration FAILED_FOR = Duration.ofSeconds(30);

  private static final int MINUTES_MAX = 5_000;
  private static final int ANSWERS_MAX = 20_000;
  private static final int FAILURES_MAX = 1_000;
  private static final Duration TURN_WAIT = Duration.ofSeconds(2);

  private record Minute(Instant start, boolean ofCompromised) {}

  private record Backlog(double seconds, double perSecond) {}

  private record Question(Instant recordedAt, boolean ofCompromised) {

    Minute minute() {
      return new Minute(recordedAt.truncatedTo(ChronoUnit.MINUTES), ofCompromised);
    }
  }

  private record Answer(Duration delay, Instant until) {}

  private final Source source;
  private final Duration turnWait;
  private final Semaphore turn = new Semaphore(1);

  @GuardedBy("this")
  private final LinkedHashMap<Minute, Backlog> minutes = new LinkedHashMap<>();

  @GuardedBy("this")
  private final LinkedHashMap<Question, Answer> answers = new LinkedHashMap<>();

  /** Until when a minute is not asked about: one slow question must not refuse all others. */
  @GuardedBy("this")
  private final LinkedHashMap<Minute, Instant> failedUntil = new LinkedHashMap<>();

  SingleRevocations(RateStore rates) {
    this(
        new Source() {
          @Override
          public double at(Instant time) {
            return rates.at(time);
          }

          @Override
          public double backlogSeconds(Instant time, double perSecond, boolean ofCompromised) {
            return rates.backlogSeconds(time, perSecond, ofCompromised);
          }

          @Override
          public long ahead(Instant from, Instant before, boolean ofCompromised) {
            return rates.ahead(from, before, ofCompromised);
          }
        },
        TURN_WAIT);
  }

  SingleRevocations(Source source, Duration turnWait) {
    this.source = source;
    this.turnWait = turnWait;
  }

  /**
   * Returns how long after {@code recordedAt} a certificate's window begins.
   *
   * @throws LedgerUnavailable if the database does not answer, has not lately, or answers others
   */
  Duration delay(Instant recordedAt, boolean ofCompromised, Instant now) {
    Question question = new Question(recordedAt, ofCompromised);
    Optional<Duration> known = known(question, now);
    if (known.isPresent()) {
      return known.get();
    }
    try {
      if (!turn.tryAcquire(turnWait.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new LedgerUnavailable("the revocations are being counted for others");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerUnavailable("interrupted", e);
    }
    try {
      // While it waited, another may have asked the same, or failed.
      return known(question, now).orElseGet(() -> asked(question, now));
    } finally {
      turn.release();
    }
  }

  private synchronized Optional<Duration> known(Question question, Instant now) {
    @Nullable Answer answer = answers.get(question);
    if (answer != null && now.isBefore(answer.until())) {
      return Optional.of(answer.delay());
    }
    @Nullable Instant failed = failedUntil.get(question.minute());
    if (failed != null && now.isBefore(failed)) {
      throw new LedgerUnavailable("the revocations could not be counted a moment ago");
    }
    return Optional.empty();
  }

  private Duration asked(Question question, Instant now) {
    Minute minute = question.minute();
    try {
      Backlog backlog = backlog(minute);
      Duration delay =
          RevocationBacklog.delay(
              backlog.seconds(),
              Duration.between(minute.start(), question.recordedAt()),
              source.ahead(minute.start(), question.recordedAt(), question.ofCompromised()),
              backlog.perSecond());
      synchronized (this) {
        keep(answers, question, new Answer(delay, now.plus(ANSWER_FOR)), ANSWERS_MAX);
      }
      return delay;
    } catch (LedgerUnavailable e) {
      synchronized (this) {
        keep(failedUntil, minute, now.plus(FAILED_FOR), FAILURES_MAX);
      }
      throw e;
    }
  }

  private Backlog backlog(Minute minute) {
    synchronized (this) {
      @Nullable Backlog known = minutes.get(minute);
      if (known != null) {
        return known;
      }
    }
    double perSecond = source.at(minute.start());
    Backlog read =
        new Backlog(
            source.backlogSeconds(minute.start(), perSecond, minute.ofCompromised()), perSecond);
    synchronized (this) {
      keep(minutes, minute, read, MINUTES_MAX);
    }
    return read;
  }

  private static <K, V> void keep(SequencedMap<K, V> kept, K key, V value, int most) {
    if (kept.putLast(key, value) == null && kept.size() > most) {
      kept.pollFirstEntry();
    }
  }
}
