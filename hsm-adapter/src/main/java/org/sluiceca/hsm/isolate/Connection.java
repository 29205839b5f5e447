package org.sluiceca.hsm.isolate;

import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.isolate.wire.Answer;
import org.sluiceca.hsm.isolate.wire.FrameChannel;
import org.sluiceca.hsm.isolate.wire.FrameWriter;
import org.sluiceca.hsm.isolate.wire.MalformedFrameException;

/** Many calls at once over one socket, each matched with its answer by a number. Thread-safe. */
final class Connection {
  /*
   * Threads. Only callers. A caller that waits for an answer while no thread reads becomes the
   * reader: it hands answers to their owners until its own is there, then wakes another one that
   * waits. A single caller thus writes and reads by itself, and no answer passes through a third
   * thread. No thread reads while no caller waits; the thread that watches the process then reports
   * its end (end).
   *
   * Why no reader is missed: a caller is in calls and isWaiting before it tries the lock. If the
   * lock is taken, its holder looks through calls after it has let go, and finds it.
   *
   * Locks. reading (while a socket read blocks) and writing (while a socket write does); no thread
   * waits for one while it holds the other.
   */

  /** A call's own part: written by its caller and by the reading thread, read by both. */
  private static final class Call {
    final Thread caller = Thread.currentThread();
    volatile boolean isWaiting;
    volatile boolean isLost;
    volatile @Nullable Answer answer;

    boolean isOver() {
      return answer != null || isLost;
    }
  }

  /** The request never left: whatever it asked for was not done. */
  static final class NotSentException extends Exception {}

  /** The connection ended before the answer came: what the request asked for may have been done. */
  static final class LostException extends Exception {}

  private final FrameChannel channel;
  private final Runnable whenEnded;
  private final AtomicLong lastNumber = new AtomicLong();
  private final ConcurrentMap<Long, Call> calls = new ConcurrentHashMap<>();
  private final ReentrantLock reading = new ReentrantLock();
  private final ReentrantLock writing = new ReentrantLock();
  private volatile boolean ended;

  /**
   * Over this channel.
   *
   * @param whenEnded called at least once, by any thread, when the channel is of no more use
   */
  Connection(FrameChannel channel, Runnable whenEnded) {
    this.channel = channel;
    this.whenEnded = whenEnded;
  }

  long nextNumber() {
    return lastNumber.incrementAndGet();
  }

  /** How many calls have not been answered. */
  int inFlight() {
    return calls.size();
  }

  boolean isEnded() {
    return ended;
  }

  /**
   * Sends a request and waits for its answer, for as long as that takes or until the connection
   * ends.
   */
  Answer call(long number, FrameWriter request) throws NotSentException, LostException {
    Call call = new Call();
    calls.put(number, call);
    try {
      if (ended) {
        throw new NotSentException();
      }
      send(request);
      await(call);
      Answer answer = call.answer;
      if (answer == null) {
        throw new LostException();
      }
      return answer;
    } finally {
      calls.remove(number, call);
    }
  }

  /** Fails all calls, now and later. */
  void end() {
    ended = true;
    try {
      channel.close();
    } catch (IOException e) {
      // It is closed, or will be with its process.
      ended = true;
    }
    for (Call call : calls.values()) {
      call.isLost = true;
      LockSupport.unpark(call.caller);
    }
    whenEnded.run();
  }

  private void send(FrameWriter request) throws NotSentException {
    writing.lock();
    try {
      channel.write(request);
    } catch (IOException e) {
      end();
      throw new NotSentException();
    } finally {
      writing.unlock();
    }
  }

  private void await(Call call) {
    call.isWaiting = true;
    boolean isInterrupted = false;
    while (!call.isOver()) {
      if (reading.tryLock()) {
        try {
          while (!call.isOver()) {
            readOne();
          }
        } finally {
          reading.unlock();
        }
        wakeAnother();
      } else {
        LockSupport.park(this);
        // As a native call: no interrupt ends it.
        isInterrupted |= Thread.interrupted();
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void readOne() {
    try {
      Answer answer = Answer.parse(channel.read());
      Call call = calls.get(answer.number());
      if (call == null) {
        throw new MalformedFrameException("an answer to nothing");
      }
      call.answer = answer;
      if (!call.caller.equals(Thread.currentThread())) {
        LockSupport.unpark(call.caller);
      }
    } catch (IOException e) {
      end();
    }
  }

  private void wakeAnother() {
    for (Call call : calls.values()) {
      if (call.isWaiting && !call.isOver()) {
        LockSupport.unpark(call.caller);
        return;
      }
    }
  }
}
