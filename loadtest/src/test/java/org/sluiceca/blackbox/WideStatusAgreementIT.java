package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluiceca.blackbox.StatusCast.Breadth;
import org.sluiceca.blackbox.StatusCast.Status;
import org.sluiceca.blackbox.StatusTool.Verdict;

/** By issuers with keys of every algorithm, for keys of every kind; and OCSP answers that end. */
@Tag("nightly")
class WideStatusAgreementIT extends StatusAgreement {

  /** The responder's answers live for a minute. */
  private static final Duration ENDED_WITHIN = Duration.ofSeconds(90);

  WideStatusAgreementIT() {
    super(Breadth.WIDE);
  }

  /** openssl would take it for 5 minutes more by default. */
  @Test
  void ocsp_beyondNextUpdate_refusedByTheClock() {
    StatusQuestion good =
        StatusQuestion.of(cast(), cast().of(cast().issuers().getFirst(), Status.GOOD));
    try (LyingResponder openssl = relay(new AtomicReference<>());
        LyingResponder gnutls = relay(new AtomicReference<>())) {
      isGood(StatusTool.OPENSSL_OCSP, good.asking(openssl.uri()));
      isGood(StatusTool.GNUTLS_OCSPTOOL, good.asking(gnutls.uri()));

      isRefusedInTime(StatusTool.OPENSSL_OCSP, good.asking(openssl.uri()));
      isRefusedInTime(StatusTool.GNUTLS_OCSPTOOL, good.asking(gnutls.uri()));
      // For its times, and nothing else.
      assertThat(StatusTool.opensslOcspSaid(good.asking(openssl.uri())).text())
          .contains(good.member().pem() + ": " + StatusTool.TIMES_INVALID);
      // By the judge, who reads what it prints: the program itself has verified it.
      assertThat(StatusTool.ocsptoolVerified(StatusTool.ocsptoolSaid(good.asking(gnutls.uri()))))
          .isTrue();
    }
  }

  private static void isGood(StatusTool tool, StatusQuestion fresh) {
    assertThat(tool.ask(fresh)).as("%s, of an answer that is fresh", tool).isEqualTo(Verdict.GOOD);
  }

  private static void isRefusedInTime(StatusTool tool, StatusQuestion frozen) {
    Poll.until(
        tool + " finds that the answer has ended",
        ENDED_WITHIN,
        Duration.ofSeconds(1),
        () -> tool.ask(frozen) == Verdict.REFUSED);
  }
}
