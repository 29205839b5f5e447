package org.sluiceca.load.judge;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.watch.LedgerRow;

/** How requests were answered: latencies from when each was due, and shares of each answer. */
final class AnswerJudge {

  /** Keys of the requests of the whole run that a certificate was issued for. */
  private final Set<String> served;

  AnswerJudge(Evidence evidence) {
    this.served =
        evidence.issued().stream().map(LedgerRow::key).collect(Collectors.toUnmodifiableSet());
  }

  /** Whether the run issued a certificate for the request of this key, at any time. */
  boolean isServed(String key) {
    return served.contains(key);
  }

  /** Puts the figures of the requests that were {@code due}: milliseconds, and shares of 1. */
  void put(Map<Measure, Double> measures, List<Exchange> due) {
    Percentiles latency =
        new Percentiles(
            due.stream().filter(Exchange::isIssued).mapToDouble(Exchange::latencyMillis));
    measures.put(Measure.LATENCY_P50, latency.at(0.5));
    measures.put(Measure.LATENCY_P99, latency.at(0.99));
    measures.put(Measure.LATENCY_MAX, latency.at(1));
    Percentiles late = new Percentiles(due.stream().mapToDouble(Exchange::lateMillis));
    measures.put(Measure.LATE_P99, late.at(0.99));
    List<Exchange> answered = due.stream().filter(Exchange::isAnswered).toList();
    List<Exchange> refused = answered.stream().filter(Exchange::isRefused).toList();
    measures.put(Measure.LATER_SHARE, share(answered, Exchange::isPromised));
    measures.put(Measure.REFUSED_SHARE, share(answered, Exchange::isRefused));
    measures.put(
        Measure.OTHER_SHARE,
        share(answered, e -> !e.isIssued() && !e.isPromised() && !e.isRefused()));
    measures.put(
        Measure.RETRY_AFTER_SHARE, refused.isEmpty() ? 1 : share(refused, Exchange::isRefusedWell));
    List<Exchange> sent = due.stream().filter(e -> e.status() != Exchange.UNSENT).toList();
    measures.put(Measure.UNANSWERED_SHARE, share(sent, e -> e.status() == Exchange.UNANSWERED));
    measures.put(Measure.FAILED_SHARE, share(sent, this::isFailed));
    measures.put(Measure.UNSENT_SHARE, share(due, e -> e.status() == Exchange.UNSENT));
  }

  private boolean isFailed(Exchange exchange) {
    if (exchange.isIssued()) {
      return false;
    }
    return exchange.isPromised() ? !isServed(exchange.request().key()) : !exchange.isRefusedWell();
  }

  /** A share of nothing is none: what saw nothing proves nothing. */
  static <T> double share(List<T> all, Predicate<T> wanted) {
    return all.isEmpty() ? Double.NaN : (double) all.stream().filter(wanted).count() / all.size();
  }
}
