package org.sluiceca.load.drill.client;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.page.Text;

/** Clients that ask again under the same Idempotency-Key until they are given their certificate. */
public final class Clients extends EnrollingClients {

  /**
   * The service answers after 30 s at the latest; a client that does not wait so long asks again.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration PAUSE_AFTER_REFUSAL = Duration.ofMillis(100);

  private final Asked asked;
  private final AtomicInteger unanswered = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  /**
   * What is asked of whom.
   *
   * @param firstPort of HTTPS, node 0's
   */
  public record Asked(int firstPort, int nodes, Requests requests) {}

  /** Starts {@code count} clients, each at another node than the one before. */
  public Clients(SSLContext tls, Asked asked, int count) {
    super(tls, asked.requests(), PATIENCE);
    this.asked = asked;
    for (int i = 0; i < count; i++) {
      AtomicInteger node = new AtomicInteger(i);
      start(number -> askUntilGiven(number, node));
    }
  }

  /** Returns how many attempts had no answer, and how many one that gave nothing. */
  public String others() {
    return Text.format(
        "%d without an answer, %d refused or put off", unanswered.get(), refused.get());
  }

  /** Waits until more than {@code count} were given since a moment; false if not in time. */
  public boolean awaitSince(Instant moment, int count, Duration limit) {
    return Wait.until(
        limit,
        PAUSE_AFTER_REFUSAL,
        () -> granted().stream().filter(one -> one.at().isAfter(moment)).count() > count);
  }

  private void askUntilGiven(int number, AtomicInteger node) throws InterruptedException {
    while (!isOver() && !isGiven(number, node.get() % asked.nodes())) {
      int ignored = node.incrementAndGet();
      Thread.sleep(PAUSE_AFTER_REFUSAL);
    }
  }

  private boolean isGiven(int number, int node) throws InterruptedException {
    try {
      if (ask(number, asked.firstPort() + node, "wait=5").statusCode() == 201) {
        return true;
      }
      int ignored = refused.incrementAndGet();
    } catch (IOException e) {
      int ignored = unanswered.incrementAndGet();
    }
    return false;
  }
}
