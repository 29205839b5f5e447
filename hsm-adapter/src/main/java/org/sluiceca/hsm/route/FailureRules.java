package org.sluiceca.hsm.route;

import java.time.Duration;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.sluiceca.hsm.HsmException;

/**
 * What a failed request says of its token, and where it may go next.
 *
 * @param isDeviceLoss whether the token is gone or hangs; receives the token's call timeout
 * @param goesElsewhere whether another token may do what this one could not
 */
record FailureRules(
    BiPredicate<HsmException, Duration> isDeviceLoss, Predicate<HsmException> goesElsewhere) {

  static final FailureRules STANDARD =
      new FailureRules(FailureRules::isDeviceLoss, FailureRules::goesElsewhere);

  /**
   * A busy token is not dead: a breaker that opened on busy answers, full lanes or late jobs would
   * throw the load from one token to the other and back. A waiter who left a call early, because of
   * its own deadline, has seen nothing of a hang.
   */
  private static boolean isDeviceLoss(HsmException failure, Duration callTimeout) {
    return switch (failure) {
      case HsmException.TokenLost lost -> true;
      case HsmException.SignTimedOut hung -> hung.inToken().compareTo(callTimeout) >= 0;
      case HsmException.Saturated _,
          HsmException.DeadlineExceeded _,
          HsmException.Busy _,
          HsmException.SessionLost _,
          HsmException.KeyMissing _,
          HsmException.KeyMismatch _,
          HsmException.KeyUnfit _,
          HsmException.PinRefused _,
          HsmException.PinUnreadable _,
          HsmException.ModuleMissing _,
          HsmException.TokenMissing _,
          HsmException.RequestRefused _,
          HsmException.Unexpected _,
          HsmException.NoUsableToken _,
          HsmException.Closed _ ->
          false;
    };
  }

  /** Never what may have been signed; never what is the request's own fault or its deadline's. */
  private static boolean goesElsewhere(HsmException failure) {
    if (failure.mayHaveExecuted()) {
      return false;
    }
    return switch (failure) {
      case HsmException.DeadlineExceeded _,
          HsmException.SignTimedOut _,
          HsmException.RequestRefused _,
          HsmException.NoUsableToken _ ->
          false;
      case HsmException.Saturated _,
          HsmException.Busy _,
          HsmException.SessionLost _,
          HsmException.TokenLost _,
          HsmException.KeyMissing _,
          HsmException.KeyMismatch _,
          HsmException.KeyUnfit _,
          HsmException.PinRefused _,
          HsmException.PinUnreadable _,
          HsmException.ModuleMissing _,
          HsmException.TokenMissing _,
          HsmException.Unexpected _,
          HsmException.Closed _ ->
          true;
    };
  }
}
