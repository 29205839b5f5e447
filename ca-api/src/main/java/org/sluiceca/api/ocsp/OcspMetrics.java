package org.sluiceca.api.ocsp;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.sluiceca.core.der.OcspResponseStatus;
import org.sluiceca.core.ocsp.AnswerCache;
import org.sluiceca.core.ocsp.AnswerCache.Look;
import org.sluiceca.core.ocsp.Reply;

/** Counts answers and what the cache did for them. Thread-safe. */
public final class OcspMetrics {

  private final MeterRegistry registry;
  private final Map<Reply.Kind, Counter> signed = new EnumMap<>(Reply.Kind.class);
  private final Map<OcspResponseStatus, Counter> refused = new EnumMap<>(OcspResponseStatus.class);
  private final Counter hits;
  private final Counter misses;
  private final Counter joins;
  private final Counter full;

  /** Counts into {@code registry}. */
  public OcspMetrics(MeterRegistry registry) {
    this.registry = registry;
    for (Reply.Kind kind : Reply.Kind.values()) {
      signed.put(kind, outcome(kind.name()));
    }
    for (OcspResponseStatus status : OcspResponseStatus.values()) {
      refused.put(status, outcome(status.name()));
    }
    hits = result("hit");
    misses = result("miss");
    joins = result("joined");
    full = result("full");
  }

  private Counter outcome(String name) {
    return Counter.builder("ca.ocsp.responses")
        .tag("outcome", name.toLowerCase(Locale.ROOT))
        .register(registry);
  }

  private Counter result(String name) {
    return Counter.builder("ca.ocsp.cache.lookups").tag("result", name).register(registry);
  }

  /** Shows how full the cache is. */
  public void watch(AnswerCache<?> cache) {
    Gauge _ =
        Gauge.builder("ca.ocsp.cache.entries", cache, AnswerCache::entries).register(registry);
    Gauge _ = Gauge.builder("ca.ocsp.cache.bytes", cache, AnswerCache::bytes).register(registry);
  }

  void answered(Reply reply) {
    Counter counter =
        switch (reply) {
          case Reply.Signed answer -> signed.get(answer.kind());
          case Reply.Refused answer -> refused.get(answer.status());
        };
    if (counter != null) {
      counter.increment();
    }
  }

  void looked(Look<?> look) {
    switch (look) {
      case Look.Hit<?> hit -> hits.increment();
      case Look.Lead<?> lead -> misses.increment();
      case Look.Follow<?> follow -> joins.increment();
      case Look.Full<?> none -> full.increment();
    }
  }
}
