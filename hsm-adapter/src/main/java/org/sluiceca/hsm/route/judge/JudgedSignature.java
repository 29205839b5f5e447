package org.sluiceca.hsm.route.judge;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.StartedSignature;

/** A signature by whose end, which its waiter learns, the token is judged. */
public final class JudgedSignature implements StartedSignature {

  /**
   * Learns how a signature ended, on the thread that learns it first.
   *
   * @param token its name, for a failure that the token did not report
   * @param succeeded there is a signature
   * @param failed there is none, for this reason
   */
  public record Judge(String token, Runnable succeeded, Consumer<HsmException> failed) {}

  private final Judge judge;
  private final StartedSignature started;

  private JudgedSignature(Judge judge, StartedSignature started) {
    this.judge = judge;
    this.started = started;
  }

  /**
   * Starts a signature; that it could not be started is judged as well.
   *
   * @param start has the token start it
   * @throws HsmException as {@code start} does
   */
  public static JudgedSignature start(Judge judge, Supplier<StartedSignature> start) {
    return new JudgedSignature(judge, judged(judge, start));
  }

  private static <T> T judged(Judge judge, Supplier<T> step) {
    boolean isDone = false;
    HsmException failure = null;
    try {
      T result = step.get();
      isDone = true;
      return result;
    } catch (HsmException e) {
      failure = e;
      throw e;
    } finally {
      if (!isDone) {
        judge.failed().accept(failure != null ? failure : broke(judge));
      }
    }
  }

  // Made only when it is needed, for its stack trace takes microseconds.
  private static HsmException broke(Judge judge) {
    return new HsmException.Unexpected("the signer of " + judge.token() + " broke", true);
  }

  @Override
  public boolean isUnderWay() {
    return started.isUnderWay();
  }

  @Override
  public boolean await(long untilNanos) throws InterruptedException {
    return started.await(untilNanos);
  }

  @Override
  public byte[] result() {
    byte[] signature = judged(judge, started::result);
    judge.succeeded().run();
    return signature;
  }

  @Override
  public HsmException abandon() {
    HsmException failure = started.abandon();
    judge.failed().accept(failure);
    return failure;
  }
}
