package org.sluiceca.api.enrollment.batch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.time.Ticker;
import tools.jackson.databind.json.JsonMapper;

/** Writes results as lines, each sent at once, as they come. Thread-safe; blocks as the client. */
final class ResultStream {

  private static final Logger LOG = LoggerFactory.getLogger(ResultStream.class);

  private final OutputStream out;
  private final JsonMapper json;
  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();

  /** When the write that is under way began; 0 for none. */
  private final AtomicLong writingSince = new AtomicLong();

  @GuardedBy("lock")
  private boolean isBroken;

  ResultStream(OutputStream out, JsonMapper json, Ticker ticker) {
    this.out = out;
    this.json = json;
    this.ticker = ticker;
  }

  /** Writes a result; returns whether the client still takes them. */
  boolean write(LineResult result) {
    byte[] octets = json.writeValueAsBytes(result);
    lock.lock();
    try {
      if (isBroken) {
        return false;
      }
      writingSince.set(ticker.nanoTime() | 1);
      out.write(octets);
      out.write('\n');
      out.flush();
      return true;
    } catch (IOException e) {
      LOG.debug("the client of a batch is gone: {}", e.getMessage());
      isBroken = true;
      return false;
    } finally {
      writingSince.set(0);
      lock.unlock();
    }
  }

  /** Returns for how long a write has been waiting for the client; 0 if none is. */
  long stuckNanos() {
    long since = writingSince.get();
    return since == 0 ? 0 : ticker.nanoTime() - since;
  }
}
