package org.sluiceca.hsm.route;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.StartedSignature;

/** A signature that goes on at another token when one did not begin to make it. */
final class RoutedSignature implements StartedSignature {
  private final TokenGroup group;
  private final Predicate<HsmException> goesElsewhere;
  private final SignRequest request;
  private final Set<TokenEndpoint> tried = new HashSet<>();
  private TokenEndpoint endpoint;
  private StartedSignature started;
  private byte @Nullable [] signature;
  private @Nullable HsmException failure;

  /**
   * Starts at the first token that takes it.
   *
   * @throws HsmException if none does
   */
  RoutedSignature(
      TokenGroup group, Predicate<HsmException> goesElsewhere, SignRequest request, Thread waiter) {
    this.group = group;
    this.goesElsewhere = goesElsewhere;
    this.request = request;
    Router.Choice first = group.choose(request, tried, null);
    this.endpoint = first.endpoint();
    this.started = start(first, waiter);
  }

  private StartedSignature start(Router.Choice first, Thread waiter) {
    Router.Choice choice = first;
    while (true) {
      endpoint = choice.endpoint();
      try {
        return endpoint.start(request, choice.isProbe(), waiter);
      } catch (HsmException e) {
        choice = chooseAfter(e);
      }
    }
  }

  private Router.Choice chooseAfter(HsmException failed) {
    if (!goesElsewhere.test(failed)) {
      throw failed;
    }
    tried.add(endpoint);
    return group.choose(request, tried, failed);
  }

  @Override
  public boolean isUnderWay() {
    return started.isUnderWay();
  }

  @Override
  public boolean await(long untilNanos) throws InterruptedException {
    while (signature == null && failure == null) {
      if (!started.await(untilNanos)) {
        return false;
      }
      take();
    }
    return true;
  }

  /** Takes what a token made, or starts at the next. */
  private void take() {
    try {
      signature = started.result();
    } catch (HsmException e) {
      try {
        started = start(chooseAfter(e), Thread.currentThread());
      } catch (HsmException last) {
        failure = last;
      }
    }
  }

  @Override
  public byte[] result() {
    if (failure != null) {
      throw failure;
    }
    if (signature == null) {
      throw new IllegalStateException("read before it has ended");
    }
    return signature;
  }

  @Override
  public HsmException abandon() {
    if (failure != null) {
      return failure;
    }
    // The outcome of what was signed has been reported.
    return signature != null ? new HsmException.Closed() : started.abandon();
  }
}
