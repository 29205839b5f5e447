package org.sluiceca.hsm.route.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.StartedSignature;

/** Each end of a signature is reported once. */
class ObservedSignatureTest {

  private static final byte[] SIGNATURE = {1, 2};

  private final List<HsmException> failures = new ArrayList<>();
  private int successes;

  private final ObservedSignature.OutcomeListener listener =
      new ObservedSignature.OutcomeListener("a", () -> successes++, failures::add);

  private ObservedSignature signature(Supplier<byte[]> result) {
    return ObservedSignature.start(listener, () -> new Ended(result));
  }

  /** A signature that has ended so. */
  private record Ended(Supplier<byte[]> supplied) implements StartedSignature {

    @Override
    public boolean isUnderWay() {
      return false;
    }

    @Override
    public boolean await(long untilNanos) {
      return true;
    }

    @Override
    public byte[] result() {
      return supplied.get();
    }

    @Override
    public HsmException abandon() {
      return new HsmException.Busy("given up");
    }
  }

  @Test
  void result_signature_succeeded() {
    assertThat(signature(() -> SIGNATURE).join()).isEqualTo(SIGNATURE);

    assertThat(successes).isEqualTo(1);
    assertThat(failures).isEmpty();
  }

  @Test
  void result_failureOfTheToken_reportedAndThrown() {
    HsmException planted = new HsmException.Busy("planted");
    ObservedSignature signature =
        signature(
            () -> {
              throw planted;
            });

    assertThatThrownBy(signature::result).isSameAs(planted);

    assertThat(failures).containsExactly(planted);
    assertThat(successes).isZero();
  }

  @Test
  void result_faultOfTheSigner_reportedAsItsToken() {
    IllegalStateException planted = new IllegalStateException("planted");
    ObservedSignature signature =
        signature(
            () -> {
              throw planted;
            });

    assertThatThrownBy(signature::result).isSameAs(planted);

    assertThat(failures).hasSize(1);
    assertThat(failures.getFirst())
        .isInstanceOf(HsmException.Unexpected.class)
        .hasMessageContaining("the signer of token a failed unexpectedly");
  }

  @Test
  void start_tokenCannotStart_reportedAndThrown() {
    HsmException planted = new HsmException.Closed();

    assertThatThrownBy(
            () ->
                ObservedSignature.start(
                    listener,
                    () -> {
                      throw planted;
                    }))
        .isSameAs(planted);

    assertThat(failures).containsExactly(planted);
  }

  @Test
  void abandon_reportsTheFailureThatItReturns() {
    HsmException failure = signature(() -> SIGNATURE).abandon();

    assertThat(failures).containsExactly(failure);
    assertThat(successes).isZero();
  }
}
