package org.sluiceca.api.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;

/** Counts the line's events. Labels come from closed sets: profiles, algorithms, reasons. */
public final class MetricsSink implements EventSink {

  /** The only lane so far. */
  static final String LANE = "interactive";

  private record Key(String name, String firstValue, String secondValue) {}

  private final MeterRegistry registry;

  // Looking a meter up by its tags on every event costs more than counting it.
  private final ConcurrentMap<Key, Counter> counters = new ConcurrentHashMap<>();
  private final DistributionSummary retryAfter;

  /** Counts into {@code registry}. */
  public MetricsSink(MeterRegistry registry) {
    this.registry = registry;
    this.retryAfter =
        DistributionSummary.builder("ca.retry.after")
            .baseUnit("seconds")
            .tag("lane", LANE)
            .register(registry);
  }

  @Override
  public void accept(CaEvent event) {
    switch (event) {
      case CaEvent.RequestAdmitted admitted -> admission("admitted");
      case CaEvent.RequestShed shed -> {
        admission(shed.cause());
        retryAfter.record((double) shed.retryAfterSeconds());
      }
      case CaEvent.RequestRejected rejected ->
          count("ca.rejected", "profile", "any", "reason", rejected.reason().name());
      case CaEvent.RequestReplayed replayed -> count("ca.replayed", "lane", LANE, "kind", "key");
      case CaEvent.IntentRecorded recorded ->
          count("ca.intents", "profile", recorded.profile().value(), "event", "recorded");
      case CaEvent.ValidityClamped clamped ->
          count("ca.intents", "profile", clamped.profile().value(), "event", "clamped");
      case CaEvent.SignatureMade made -> {}
      case CaEvent.SignatureRefused refused ->
          count("ca.signature.refused", "lane", LANE, "kind", "post_sign_check");
      case CaEvent.CertificateIssued issued ->
          count("ca.issued", "profile", issued.profile().value(), "alg", issued.algorithm().name());
      case CaEvent.IntentAbandoned abandoned ->
          count("ca.intents", "profile", "any", "event", "abandoned");
      case CaEvent.IntentLeftPending left ->
          count("ca.intents", "profile", "any", "event", "left_pending");
      case CaEvent.IntentTakenOver taken ->
          count("ca.intents", "profile", "any", "event", "taken_over");
    }
  }

  private void admission(String decision) {
    count("ca.admission", "lane", LANE, "decision", decision);
  }

  private void count(
      String name, String firstTag, String firstValue, String secondTag, String secondValue) {
    counters
        .computeIfAbsent(
            new Key(name, firstValue, secondValue),
            key ->
                Counter.builder(name)
                    .tag(firstTag, firstValue.toLowerCase(Locale.ROOT))
                    .tag(secondTag, secondValue.toLowerCase(Locale.ROOT))
                    .register(registry))
        .increment();
  }
}
