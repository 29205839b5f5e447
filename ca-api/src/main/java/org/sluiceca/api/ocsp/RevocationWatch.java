package org.sluiceca.api.ocsp;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.ledger.ocsp.RevocationFeed;
import org.sluiceca.api.ledger.ocsp.RevocationFeed.Event;
import org.sluiceca.api.ledger.ocsp.RevocationFeed.Revision;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.ocsp.AnswerCache;
import org.sluiceca.core.revoke.CrlScope;

/**
 * Makes the cache forget what was decided about, by any node, and the responders known that were
 * registered, once a second. While the database is away the kept answers stand, as they do with
 * every client that has them; afterwards nothing is missed. Owns one platform thread.
 */
public final class RevocationWatch implements AutoCloseable {

  private static final long PERIOD_SECONDS = 1;

  /** A renewed responder may wait half a minute: its predecessor has ten days left. */
  private static final int ROUNDS_A_REFRESH = 30;

  /** Of 19 octets each: 20 KB. */
  private static final int EVENTS_AT_ONCE = 1_000;

  private static final long STOP_WAIT_MILLIS = 5_000;

  private static final Logger LOG = LoggerFactory.getLogger(RevocationWatch.class);

  private final RevocationFeed feed;
  private final AnswerCache<?> cache;
  private final Responders responders;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  // Owned by the thread, and before it starts by who starts it.
  private final Map<CrlScope, Long> seen = new HashMap<>();

  /** Makes the watch; {@link #start} starts it. */
  public RevocationWatch(RevocationFeed feed, AnswerCache<?> cache, Responders responders) {
    this.feed = feed;
    this.cache = cache;
    this.responders = responders;
    this.thread = Thread.ofPlatform().name("ocsp-watch").daemon().unstarted(this::run);
  }

  /** Notes where every scope stands, before the first answer is kept, and starts to watch. */
  public void start() {
    responders.refresh();
    feed.revisions().forEach(revision -> seen.put(revision.scope(), revision.number()));
    thread.start();
  }

  private void run() {
    long round = 0;
    while (!isStoppedWithinThePeriod()) {
      try {
        look();
        if (++round % ROUNDS_A_REFRESH == 0) {
          responders.refresh();
        }
      } catch (CaUnavailable e) {
        LOG.warn("OCSP does not hear of revocations: {}", e.getMessage());
      } catch (RuntimeException | Error e) {
        // The loop of an owned thread: whatever happens, there is a next time.
        LOG.error("watching revocations failed", e);
      }
    }
  }

  void look() {
    List<Revision> revisions = feed.revisions();
    forgetWhatWasUndone(revisions);
    for (Revision revision : revisions) {
      CrlScope scope = revision.scope();
      long before = seen.getOrDefault(scope, 0L);
      while (before < revision.number()) {
        List<Event> events = feed.since(scope, before, EVENTS_AT_ONCE);
        for (Event event : events) {
          cache.drop(scope.issuer(), event.serialNumber());
        }
        // Nothing can be missing, but a loop without progress would have no end.
        before = events.isEmpty() ? revision.number() : events.getLast().revision();
        seen.put(scope, before);
      }
    }
  }

  /**
   * Revisions only rise; one that is lower is of another database: a restored one, or a replica
   * that had not heard of all. What was answered by the former may never have been so, and what
   * follows will have numbers that were seen before.
   */
  private void forgetWhatWasUndone(List<Revision> revisions) {
    Set<CrlScope> gone = new HashSet<>(seen.keySet());
    boolean isUndone = false;
    for (Revision revision : revisions) {
      gone.remove(revision.scope());
      isUndone |= revision.number() < seen.getOrDefault(revision.scope(), 0L);
    }
    if (isUndone || !gone.isEmpty()) {
      LOG.warn("revocations that were known are undone: all kept OCSP answers are forgotten");
      seen.clear();
      revisions.forEach(revision -> seen.put(revision.scope(), revision.number()));
      cache.dropAll();
    }
  }

  private boolean isStoppedWithinThePeriod() {
    try {
      return stopped.await(PERIOD_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** Ends the thread, waiting 5 s at most. */
  @Override
  public void close() {
    stopped.countDown();
    try {
      thread.join(STOP_WAIT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
