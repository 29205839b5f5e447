package org.sluiceca.api.console.live;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.console.session.Session;

/**
 * The stream of events to one browser. No thread ever waits for it: what cannot be written at once
 * waits for the container to report that it can, the newest event in the place of an older one; and
 * a browser that reads nothing for long loses its connection. Thread-safe.
 */
final class LiveStream implements WriteListener, AsyncListener {

  /** As long as any client of this service may stop. */
  static final long STALLED_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  private static final Logger LOG = LoggerFactory.getLogger(LiveStream.class);

  private final Session session;
  private final AsyncContext context;
  private final ServletOutputStream out;
  private final Runnable cut;
  private final Runnable ended;
  private final ReentrantLock lock = new ReentrantLock();

  /** The newest event that was not written. */
  @GuardedBy("lock")
  private byte @Nullable [] pending;

  @GuardedBy("lock")
  private boolean isFlushDue;

  /** Whether the container has said that it takes something. */
  @GuardedBy("lock")
  private boolean isBegun;

  @GuardedBy("lock")
  private boolean isOver;

  /** Since when nothing could be written; 0 while it can. */
  @GuardedBy("lock")
  private long stalledAt;

  /**
   * A stream of {@code context}, whose answer nothing else writes.
   *
   * @param cut ends the connection without waiting for anything
   * @param ended called when the stream has ended, whatever the reason, and maybe again
   */
  LiveStream(
      Session session,
      AsyncContext context,
      ServletOutputStream out,
      Runnable cut,
      Runnable ended) {
    this.session = session;
    this.context = context;
    this.out = out;
    this.cut = cut;
    this.ended = ended;
  }

  Session session() {
    return session;
  }

  /** Begins with this event; the container takes it when the request's thread is back. */
  void begin(byte[] first) {
    lock.lock();
    try {
      pending = first.clone();
    } finally {
      lock.unlock();
    }
    context.addListener(this);
    out.setWriteListener(this);
  }

  /** Sends an event, in the place of one that still waits. Never waits. */
  void offer(byte[] event, long nowNanos) {
    lock.lock();
    try {
      if (isOver) {
        return;
      }
      if (isBegun && out.isReady()) {
        stalledAt = 0;
        write(event);
      } else {
        pending = event;
        stalled(nowNanos);
      }
    } catch (IOException | IllegalStateException e) {
      gone(e);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void stalled(long nowNanos) {
    if (stalledAt == 0) {
      stalledAt = nowNanos;
    } else if (nowNanos - stalledAt > STALLED_NANOS_MAX) {
      isOver = true;
      cut.run();
    }
  }

  @GuardedBy("lock")
  private void write(byte[] event) throws IOException {
    pending = null;
    out.write(event);
    isFlushDue = true;
    flush();
  }

  @GuardedBy("lock")
  private void flush() throws IOException {
    if (isFlushDue && out.isReady()) {
      isFlushDue = false;
      out.flush();
    }
  }

  /** Ends the stream after this event, if it can be written now. Never waits. */
  void end(byte[] last) {
    boolean isCut = false;
    lock.lock();
    try {
      if (isOver) {
        return;
      }
      isOver = true;
      if (isBegun && out.isReady()) {
        write(last);
        isCut = !out.isReady();
      } else {
        isCut = isBegun;
      }
    } catch (IOException | IllegalStateException e) {
      LOG.debug("a stream ends without its last event: {}", e.getMessage());
      isCut = true;
    } finally {
      lock.unlock();
    }
    if (isCut) {
      // Completing would wait for what is unwritten.
      cut.run();
    } else {
      complete();
    }
  }

  private void complete() {
    try {
      context.complete();
    } catch (IllegalStateException e) {
      LOG.debug("a stream had ended already: {}", e.getMessage());
    }
  }

  @GuardedBy("lock")
  private void gone(Exception e) {
    isOver = true;
    LOG.debug("a browser has left its stream: {}", e.getMessage());
    // The container reports a broken connection by onError as well, but not an answer that it has
    // taken back already.
    ended.run();
  }

  @Override
  public void onWritePossible() {
    lock.lock();
    try {
      isBegun = true;
      stalledAt = 0;
      flush();
      byte[] event = pending;
      if (!isOver && event != null && out.isReady()) {
        write(event);
      }
    } catch (IOException | IllegalStateException e) {
      gone(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onError(@Nullable Throwable e) {
    LOG.debug("a stream has failed", e);
    over();
  }

  private void over() {
    lock.lock();
    try {
      isOver = true;
    } finally {
      lock.unlock();
    }
    ended.run();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    over();
  }

  /** The browser comes again by itself, and is asked for its session then. */
  @Override
  public void onTimeout(AsyncEvent event) {
    over();
    complete();
  }

  @Override
  public void onError(AsyncEvent event) {
    over();
    complete();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // Nothing dispatches it again.
  }
}
