package org.sluiceca.api.ocsp;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.ocsp.store.RevocationFeed;
import org.sluiceca.api.ocsp.store.RevocationFeed.Event;
import org.sluiceca.api.ocsp.store.RevocationFeed.Revision;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.change.Rest;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.core.ocsp.AnswerCache;
import org.sluiceca.core.revoke.CrlScope;

/**
 * Makes the cache forget what was decided about, by any node, and the responders known that were
 * registered, once a second. While the database is away the kept answers stand, as they do with
 * every client that has them; afterwards nothing is missed. Owns one platform thread.
 */
public final class RevocationWatch implements AutoCloseable {

  private static final Duration PERIOD = Duration.ofSeconds(1);

  /**
   * A renewed responder may wait half a minute: its predecessor has ten days left. The longest
   * rest, too, while nothing is revoked: the change watch ends it.
   */
  private static final Duration REFRESH_PERIOD = Duration.ofSeconds(30);

  /** Of 19 octets each: 20 KB. */
  private static final int EVENTS_AT_ONCE = 1_000;

  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(RevocationWatch.class);

  private final RevocationFeed feed;
  private final AnswerCache<?> cache;
  private final Responders responders;
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              RevocationWatch.class,
              "ocsp-watch",
              "OCSP does not hear of revocations",
              PERIOD,
              PERIOD,
              STOP_MAX),
          isStopping -> step());

  // Set before the thread starts.
  private Rest rest = Rest.never();

  // Owned by the thread, and before it starts by the thread that starts it.
  private long refreshAtNanos = System.nanoTime() + REFRESH_PERIOD.toNanos();
  private final Map<CrlScope, Long> seen = new HashMap<>();

  /** Makes the watch; {@link #start} starts it. */
  public RevocationWatch(RevocationFeed feed, AnswerCache<?> cache, Responders responders) {
    this.feed = feed;
    this.cache = cache;
    this.responders = responders;
  }

  /** Rests from now on while nothing is revoked. Before {@link #start}. */
  public void restUntilChanged(ChangeWatch changes) {
    rest = changes.rest(List.of(Topic.REVOCATIONS), task::wake);
  }

  /** Notes where every scope stands, before the first answer is kept, and starts to watch. */
  public void start() {
    responders.refresh();
    feed.revisions().forEach(revision -> seen.put(revision.scope(), revision.number()));
    task.start();
  }

  /** Looks once; returns how long to wait. Of the owned thread, or in its place. */
  Duration step() {
    rest.begin();
    look();
    if (System.nanoTime() - refreshAtNanos >= 0) {
      refreshAtNanos = System.nanoTime() + REFRESH_PERIOD.toNanos();
      responders.refresh();
    }
    // Nothing wakes the loop for a responder.
    Duration most = Duration.ofNanos(refreshAtNanos - System.nanoTime());
    return most.compareTo(PERIOD) > 0 ? rest.pause(PERIOD, most) : PERIOD;
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
   * that had not received all. Answers by the former database may never have been true, and later
   * events will have numbers that were seen before.
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

  /** Ends the thread, waiting 5 s at most. */
  @Override
  public void close() {
    task.close();
  }
}
