package org.sluiceca.api.connector;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * The connections that wait for the rest of a request's head, oldest first. Each keeps 45 KB of
 * Tomcat's, so only so many may; an honest head comes in one piece or within milliseconds.
 * Thread-safe.
 */
final class PartialHeads {

  /** 128 of 45 KB are 6 MB. */
  static final int MAX = 128;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Set<SocketWrapperBase<NioChannel>> waiting = new LinkedHashSet<>();

  /** Adds a connection; returns the one that has waited for longest, if there are too many. */
  @Nullable SocketWrapperBase<NioChannel> add(SocketWrapperBase<NioChannel> connection) {
    lock.lock();
    try {
      waiting.add(connection);
      if (waiting.size() <= MAX) {
        return null;
      }
      SocketWrapperBase<NioChannel> oldest = waiting.iterator().next();
      waiting.remove(oldest);
      return oldest;
    } finally {
      lock.unlock();
    }
  }

  void remove(SocketWrapperBase<NioChannel> connection) {
    lock.lock();
    try {
      waiting.remove(connection);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets those that ended without another turn. */
  void forgetClosed() {
    lock.lock();
    try {
      waiting.removeIf(SocketWrapperBase::isClosed);
    } finally {
      lock.unlock();
    }
  }
}
