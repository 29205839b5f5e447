package org.sluiceca.api.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.sign.Lane;

/** Counts the line's events. Labels come from closed sets: profiles, algorithms, reasons. */
public final class MetricsSink implements EventSink {

  private record Key(String name, String firstValue, String secondValue) {}

  private final MeterRegistry registry;

  // Looking a meter up by its tags on every event costs more than counting it.
  private final ConcurrentMap<Key, Counter> counters = new ConcurrentHashMap<>();
  private final Map<Lane, DistributionSummary> retryAfter = new EnumMap<>(Lane.class);
  private final Map<Lane, Counter> deadlinesMissed = new EnumMap<>(Lane.class);

  /** Counts into {@code registry}. */
  public MetricsSink(MeterRegistry registry) {
    this.registry = registry;
    for (Lane lane : Lane.values()) {
      retryAfter.put(
          lane,
          DistributionSummary.builder("ca.retry.after")
              .baseUnit("seconds")
              .tag("lane", label(lane))
              .register(registry));
      deadlinesMissed.put(
          lane,
          Counter.builder("ca.sign.deadline.missed").tag("lane", label(lane)).register(registry));
      registerAtZero(lane);
    }
    for (String event : new String[] {"left_pending", "abandoned"}) {
      intents("any", event);
    }
  }

  /** A rate over a counter that comes with its first event does not see that event. */
  private void registerAtZero(Lane lane) {
    admissions(lane, "admitted");
    for (Cause cause : Cause.values()) {
      admissions(lane, cause.name());
    }
    signaturesRefused(lane);
  }

  @Override
  public void accept(CaEvent event) {
    switch (event) {
      case CaEvent.RequestAdmitted admitted -> admissions(admitted.lane(), "admitted").increment();
      case CaEvent.RequestShed shed -> {
        admissions(shed.lane(), shed.cause()).increment();
        of(retryAfter, shed.lane()).record((double) shed.retryAfterSeconds());
      }
      case CaEvent.DeadlineMissed missed -> of(deadlinesMissed, missed.lane()).increment();
      case CaEvent.RequestRejected rejected ->
          count("ca.rejected", "profile", "any", "reason", rejected.reason().name());
      case CaEvent.RequestReplayed replayed ->
          count("ca.replayed", "lane", replayed.lane().name(), "kind", "key");
      case CaEvent.IntentRecorded recorded ->
          intents(recorded.profile().value(), "recorded").increment();
      case CaEvent.ValidityClamped clamped ->
          intents(clamped.profile().value(), "clamped").increment();
      case CaEvent.SignatureMade made -> {}
      case CaEvent.SignatureRefused refused -> signaturesRefused(refused.lane()).increment();
      case CaEvent.CertificateIssued issued ->
          count("ca.issued", "profile", issued.profile().value(), "alg", issued.algorithm().name());
      case CaEvent.IntentAbandoned abandoned -> intents("any", "abandoned").increment();
      case CaEvent.IntentLeftPending left -> intents("any", "left_pending").increment();
      case CaEvent.OrderTaken taken -> intents("any", "taken").increment();
      case CaEvent.IntentTakenOver taken -> intents("any", "taken_over").increment();
      case CaEvent.CertificateRevoked revoked ->
          count("ca.revocations", "reason", revoked.reason().name(), "event", "revoked");
      case CaEvent.CertificatesRevoked revoked ->
          counter("ca.revocations", "reason", revoked.reason().name(), "event", "revoked")
              .increment(revoked.serialNumbers().size());
      case CaEvent.HoldReleased released ->
          count("ca.revocations", "reason", "certificate_hold", "event", "released");
      case CaEvent.CrlIssued issued ->
          count(
              "ca.crls",
              "issuer",
              issued.issuer().value(),
              "event",
              issued.base().isPresent() ? "delta_issued" : "issued");
      case CaEvent.CrlSignatureRefused refused -> signaturesRefused(Lane.STATUS).increment();
      case CaEvent.OcspSignatureRefused refused -> signaturesRefused(Lane.STATUS).increment();
    }
  }

  /** Returns the lane as metrics and the API name it. */
  public static String label(Lane lane) {
    return lane.name().toLowerCase(Locale.ROOT);
  }

  private static <M> M of(Map<Lane, M> meters, Lane lane) {
    M meter = meters.get(lane);
    if (meter == null) {
      throw new IllegalStateException("every lane has its meters");
    }
    return meter;
  }

  private Counter admissions(Lane lane, String decision) {
    return counter("ca.admission", "lane", lane.name(), "decision", decision);
  }

  private Counter signaturesRefused(Lane lane) {
    return counter("ca.signature.refused", "lane", lane.name(), "kind", "post_sign_check");
  }

  private Counter intents(String profile, String event) {
    return counter("ca.intents", "profile", profile, "event", event);
  }

  private void count(
      String name, String firstTag, String firstValue, String secondTag, String secondValue) {
    counter(name, firstTag, firstValue, secondTag, secondValue).increment();
  }

  private Counter counter(
      String name, String firstTag, String firstValue, String secondTag, String secondValue) {
    return counters.computeIfAbsent(
        new Key(name, firstValue, secondValue),
        key ->
            Counter.builder(name)
                .tag(firstTag, firstValue.toLowerCase(Locale.ROOT))
                .tag(secondTag, secondValue.toLowerCase(Locale.ROOT))
                .register(registry));
  }
}
