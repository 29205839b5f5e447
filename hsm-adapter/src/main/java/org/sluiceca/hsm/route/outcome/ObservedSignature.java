package org.sluiceca.hsm.route.outcome;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.StartedSignature;

/**
 * A started signature that reports its outcome to a listener, on the thread that learns it first.
 */
public final class ObservedSignature implements StartedSignature {

  /**
   * Receives the outcome of a signature, on the thread that learns it first.
   *
   * @param token its name, for a failure that the token did not report
   * @param succeeded there is a signature
   * @param failed there is none, for this reason
   */
  public record OutcomeListener(String token, Runnable succeeded, Consumer<HsmException> failed) {}

  private final OutcomeListener listener;
  private final StartedSignature started;

  private ObservedSignature(OutcomeListener listener, StartedSignature started) {
    this.listener = listener;
    this.started = started;
  }

  /**
   * Starts a signature; that it could not be started is reported as well.
   *
   * @param start has the token start it
   * @throws HsmException as {@code start} does
   */
  public static ObservedSignature start(
      OutcomeListener listener, Supplier<StartedSignature> start) {
    return new ObservedSignature(listener, observed(listener, start));
  }

  private static <T> T observed(OutcomeListener listener, Supplier<T> step) {
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
        listener.failed().accept(failure != null ? failure : unexpected(listener));
      }
    }
  }

  // Made only when it is needed, for its stack trace takes microseconds.
  private static HsmException unexpected(OutcomeListener listener) {
    return new HsmException.Unexpected(
        "the signer of token " + listener.token() + " failed unexpectedly", true);
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
    byte[] signature = observed(listener, started::result);
    listener.succeeded().run();
    return signature;
  }

  @Override
  public HsmException abandon() {
    HsmException failure = started.abandon();
    listener.failed().accept(failure);
    return failure;
  }
}
