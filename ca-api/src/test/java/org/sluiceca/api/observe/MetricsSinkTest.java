package org.sluiceca.api.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.x509.SerialNumber;

class MetricsSinkTest {

  private static final RequesterId WHO = new RequesterId("who");
  private static final SerialNumber SERIAL = SerialNumber.parse("01" + "0".repeat(36));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MetricsSink sink = new MetricsSink(registry);

  @ParameterizedTest
  @EnumSource(Cause.class)
  void accept_shed_countedByLaneAndCauseWithWhatWasTold(Cause cause) {
    sink.accept(new CaEvent.RequestShed(WHO, Lane.RENEWAL, cause.name(), 40));
    sink.accept(new CaEvent.RequestShed(WHO, Lane.RENEWAL, cause.name(), 20));

    String decision = cause.name().toLowerCase(Locale.ROOT);
    assertThat(count("ca.admission", "lane", "renewal", "decision", decision)).isEqualTo(2);
    assertThat(registry.get("ca.retry.after").tags("lane", "renewal").summary().totalAmount())
        .isEqualTo(60);
  }

  @Test
  void accept_admittedAndMissed_countedByLane() {
    sink.accept(new CaEvent.RequestAdmitted(WHO, Lane.BULK));
    sink.accept(new CaEvent.DeadlineMissed(SERIAL, Lane.BULK));

    assertThat(count("ca.admission", "lane", "bulk", "decision", "admitted")).isEqualTo(1);
    assertThat(count("ca.sign.deadline.missed", "lane", "bulk")).isEqualTo(1);
  }

  /** An alert on a series that is not there yet would be silent when it first counts. */
  @ParameterizedTest
  @EnumSource(Lane.class)
  void sink_new_hasEveryLane(Lane lane) {
    String label = MetricsSink.label(lane);

    assertThat(count("ca.sign.deadline.missed", "lane", label)).isZero();
    assertThat(registry.get("ca.retry.after").tags("lane", label).summary().count()).isZero();
    assertThat(count("ca.signature.refused", "lane", label)).isZero();
    assertThat(count("ca.admission", "lane", label, "decision", "admitted")).isZero();
    for (Cause cause : Cause.values()) {
      String decision = cause.name().toLowerCase(Locale.ROOT);
      assertThat(count("ca.admission", "lane", label, "decision", decision)).isZero();
    }
  }

  @Test
  void sink_new_hasPromisesThatWereNotKept() {
    assertThat(count("ca.intents", "event", "left_pending")).isZero();
    assertThat(count("ca.intents", "event", "abandoned")).isZero();
  }

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }
}
