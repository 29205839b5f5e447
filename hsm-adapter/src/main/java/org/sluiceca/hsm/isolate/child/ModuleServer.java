package org.sluiceca.hsm.isolate.child;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.sluiceca.hsm.isolate.wire.FrameChannel;
import org.sluiceca.hsm.isolate.wire.FrameWriter;

/** Answers the node's requests, each on the thread that read it, until the node is gone. */
final class ModuleServer {
  /*
   * Threads. One worker at a time reads; as it has a request it lets the next one read, and makes
   * the call itself: no request is handed from thread to thread. There are as many workers as calls
   * at once, and one that reads. A call that hangs costs its worker, no other session.
   *
   * Locks. reading, then for itself writing; none is held in a call of the module.
   */

  /** The sessions of a lane (256 at most) have a call at a time each; the rest is for closing. */
  private static final int WORKERS_MAX = 512;

  private final FrameChannel channel;
  private final Dispatcher dispatcher;
  private final Runnable whenNodeIsGone;
  private final ReentrantLock reading = new ReentrantLock();
  private final ReentrantLock writing = new ReentrantLock();
  private final AtomicInteger workers = new AtomicInteger();

  ModuleServer(FrameChannel channel, Dispatcher dispatcher, Runnable whenNodeIsGone) {
    this.channel = channel;
    this.dispatcher = dispatcher;
    this.whenNodeIsGone = whenNodeIsGone;
  }

  /** Says that the module is loaded, and begins to answer. */
  void start() throws IOException {
    channel.write(dispatcher.ready());
    addWorker();
  }

  private void addWorker() {
    int number = workers.incrementAndGet();
    if (number > WORKERS_MAX) {
      int _ = workers.decrementAndGet();
      return;
    }
    Thread _ = Thread.ofPlatform().daemon().name("module-" + number).start(this::work);
  }

  private void work() {
    try {
      while (true) {
        answer(next());
      }
    } catch (IOException e) {
      // The node is gone, or the connection is of no more use to it.
      whenNodeIsGone.run();
    }
  }

  private byte[] next() throws IOException {
    byte[] request;
    boolean isAnybodyNext;
    reading.lock();
    try {
      request = channel.read();
      isAnybodyNext = reading.hasQueuedThreads();
    } finally {
      reading.unlock();
    }
    if (!isAnybodyNext) {
      addWorker();
    }
    return request;
  }

  private void answer(byte[] request) throws IOException {
    FrameWriter answer = dispatcher.answer(request);
    writing.lock();
    try {
      channel.write(answer);
    } finally {
      writing.unlock();
    }
  }
}
