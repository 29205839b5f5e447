package org.sluiceca.api.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.RecoveryReason;
import org.sluiceca.hsm.SignObservation;
import org.sluiceca.hsm.SignOutcome;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.SubjectPublicKeyInfo;
import org.sluiceca.hsm.route.TokenPolicy;
import org.sluiceca.hsm.route.TokenStatus;

class HsmMetricsTest {

  private static final KeyRef KEY =
      new KeyRef(CkaId.parse("01"), SubjectPublicKeyInfo.of(new byte[] {0x30, 0}));

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final HsmMetrics metrics = new HsmMetrics(registry);

  @Test
  void tokens_comeAndGo_metersComeAndGoWithThem() {
    HsmObserver a = metrics.added("a", () -> away("a"));
    HsmObserver b = metrics.added("b", () -> away("b"));
    use(a);
    use(b);
    metrics.failedOver("b", new HsmException.Closed());
    metrics.keyMismatch("a", KEY);

    assertThat(value("ca.hsm.state", "a", "state", "token_lost")).isEqualTo(1);
    assertThat(registry.get("ca.hsm.failover").tag("hsm", "b").counter().count()).isEqualTo(1);
    assertThat(registry.get("ca.hsm.key.mismatch").tag("hsm", "a").counter().count()).isEqualTo(1);
    List<String> names = names("b");

    metrics.left("a");

    assertThat(names("a")).isEmpty();
    assertThat(names("b")).isEqualTo(names);
  }

  /** An alert on a series that is not there yet would be silent when it first counts. */
  @Test
  void token_new_countsFromZero() {
    HsmObserver _ = metrics.added("a", () -> away("a"));

    assertThat(registry.get("ca.hsm.key.mismatch").tag("hsm", "a").counter().count()).isZero();
    assertThat(registry.get("ca.hsm.failover").tag("hsm", "a").counter().count()).isZero();
    assertThat(registry.get("ca.hsm.reinit").tag("hsm", "a").counters())
        .hasSize(RecoveryReason.values().length);
    assertThat(registry.get("ca.hsm.tokens.file").counters()).hasSize(2);
  }

  @Test
  void tokens_sameNameAgain_oneSetOfMeters() {
    HsmObserver first = metrics.added("a", () -> away("a"));
    HsmObserver second = metrics.added("a", () -> away("a"));

    assertThat(second).isSameAs(first);
  }

  @Test
  void signed_afterTheTokenHasLeft_leavesNothing() {
    HsmObserver a = metrics.added("a", () -> away("a"));
    metrics.left("a");
    use(a);

    assertThat(names("a")).isEmpty();
  }

  @Test
  void timeouts_areToldAsTheyAreConfigured() {
    HsmObserver _ = metrics.added("a", () -> away("a"));
    metrics.deadlines(Duration.ofSeconds(15), Duration.ofSeconds(13));

    assertThat(registry.get("ca.hsm.call.timeout.seconds").tag("hsm", "a").gauge().value())
        .isEqualTo(2.5);
    assertThat(registry.get("ca.deadline.seconds").tag("wait", "claim").gauge().value())
        .isEqualTo(15);
    assertThat(registry.get("ca.deadline.seconds").tag("wait", "signature").gauge().value())
        .isEqualTo(13);
  }

  /** What is no certificate is recognized by the requester that the CA's own parts sign under. */
  @Test
  void signed_timedByPurpose() {
    HsmObserver token = metrics.added("a", () -> away("a"));
    assertThat(times("crl")).as("from the start").isZero();

    signed(token, Lane.INTERACTIVE, "alice");
    signed(token, Lane.BULK, "sluice.crl");
    signed(token, Lane.STATUS, "sluice.crl");
    signed(token, Lane.STATUS, "sluice.audit");
    signed(token, Lane.STATUS, "sluice.ocsp");
    signed(token, Lane.INTERACTIVE, "");

    assertThat(times("certificate")).isEqualTo(2);
    for (String purpose : List.of("crl", "checkpoint", "ocsp", "other")) {
      assertThat(times(purpose)).as(purpose).isOne();
    }
  }

  private static void signed(HsmObserver token, Lane lane, String flow) {
    token.signed(
        new SignObservation(
            lane, flow, new SignatureClass(Mechanism.ECDSA_SHA256, 256), 1, 2, SignOutcome.SIGNED));
  }

  private long times(String purpose) {
    return registry.get("ca.hsm.signing").tag("hsm", "a").tag("purpose", purpose).timer().count();
  }

  private static void use(HsmObserver token) {
    token.signed(
        new SignObservation(
            Lane.INTERACTIVE,
            "alice",
            new SignatureClass(Mechanism.ECDSA_SHA256, 256),
            1,
            2,
            SignOutcome.SIGNED));
    token.recovered(RecoveryReason.TOKEN_LOST);
  }

  private static TokenStatus away(String name) {
    return new TokenStatus(
        name,
        TokenPolicy.DEFAULT,
        HsmState.TOKEN_LOST,
        "closed",
        0,
        Optional.empty(),
        "away",
        Duration.ofMillis(2500));
  }

  private double value(String name, String token, String tag, String value) {
    return registry.get(name).tag("hsm", token).tag(tag, value).gauge().value();
  }

  private List<String> names(String token) {
    return registry.getMeters().stream()
        .filter(m -> token.equals(m.getId().getTag("hsm")))
        .map(m -> m.getId().toString())
        .sorted()
        .toList();
  }
}
