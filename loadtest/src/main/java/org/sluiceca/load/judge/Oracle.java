package org.sluiceca.load.judge;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.plan.Goal;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.watch.LedgerRow;

/**
 * Judges whether the service kept its guarantees, by the answers that clients received and by the
 * ledger's rows. Its goals belong to every plan; no plan can leave them out.
 */
public final class Oracle {

  /** One broken guarantee is one too many. */
  public static final List<Goal> GOALS =
      List.of(
          new Goal(Measure.LOST, false, 0),
          new Goal(Measure.DOUBLED_SERIALS, false, 0),
          new Goal(Measure.DOUBLED_REQUESTS, false, 0),
          new Goal(Measure.UNFINISHED, false, 0),
          new Goal(Measure.RECORDED_THOUGH_REFUSED, false, 0),
          new Goal(Measure.WRONG_ISSUER, false, 0));

  private final Plan plan;
  private final Evidence evidence;
  private final Map<String, List<LedgerRow>> rows;

  /** Judges a whole run, after all its intents had time to be finished. */
  public Oracle(Plan plan, Evidence evidence) {
    this.plan = plan;
    this.evidence = evidence;
    this.rows = evidence.rowsByKey();
  }

  /** Returns how often each guarantee was broken. */
  public Map<Measure, Double> measures() {
    Map<Measure, Double> measures = new EnumMap<>(Measure.class);
    measures.put(Measure.LOST, (double) evidence.exchanges().stream().filter(this::isLost).count());
    measures.put(Measure.DOUBLED_SERIALS, (double) doubledSerials());
    measures.put(Measure.DOUBLED_REQUESTS, (double) doubledRequests());
    measures.put(
        Measure.UNFINISHED,
        (double) evidence.rows().stream().filter(row -> row.outcome().isEmpty()).count());
    measures.put(Measure.RECORDED_THOUGH_REFUSED, (double) recordedThoughRefused());
    measures.put(Measure.WRONG_ISSUER, (double) wrongIssuer());
    return measures;
  }

  /**
   * A certificate needs an issued row with the same serial and requester; an accepted request, such
   * a row with any outcome or none.
   */
  private boolean isLost(Exchange exchange) {
    if (!exchange.isIssued() && !exchange.isPromised()) {
      return false;
    }
    return rows.getOrDefault(exchange.request().key(), List.of()).stream()
        .noneMatch(
            row ->
                exchange.serial().filter(row.serial()::equals).isPresent()
                    && row.requester().equals(exchange.request().requester())
                    && (exchange.isPromised() || row.isIssued()));
  }

  /** Counts serials that were returned for two requests, or that stand in two rows. */
  private long doubledSerials() {
    Set<String> doubled = new HashSet<>();
    evidence.exchanges().stream()
        .filter(exchange -> exchange.serial().isPresent())
        .collect(
            Collectors.groupingBy(
                exchange -> exchange.serial().orElseThrow(),
                Collectors.mapping(exchange -> exchange.request().key(), Collectors.toSet())))
        .forEach(
            (serial, keys) -> {
              if (keys.size() > 1) {
                doubled.add(serial);
              }
            });
    Set<String> seen = new HashSet<>();
    for (LedgerRow row : evidence.rows()) {
      if (!seen.add(row.serial())) {
        doubled.add(row.serial());
      }
    }
    return doubled.size();
  }

  /** Counts requests with two serials, by the rows or by the answers to the client. */
  private long doubledRequests() {
    Set<String> doubled = new HashSet<>();
    rows.forEach(
        (key, mine) -> {
          if (mine.stream().filter(LedgerRow::isIssued).count() > 1) {
            doubled.add(key);
          }
        });
    evidence.exchanges().stream()
        .filter(Exchange::isIssued)
        .collect(
            Collectors.groupingBy(
                exchange -> exchange.request().key(),
                Collectors.mapping(Exchange::serial, Collectors.toSet())))
        .forEach(
            (key, serials) -> {
              if (serials.size() > 1) {
                doubled.add(key);
              }
            });
    return doubled.size();
  }

  /**
   * A refusal guarantees that nothing was recorded; no answer guarantees nothing, nor does a
   * refusal of a request that was sent before to a node that died.
   */
  private long recordedThoughRefused() {
    return evidence.exchanges().stream()
        .filter(exchange -> exchange.status() != Exchange.UNSENT)
        .collect(Collectors.groupingBy(exchange -> exchange.request().key()))
        .entrySet()
        .stream()
        .filter(entry -> entry.getValue().stream().allMatch(e -> e.isRefused() && !e.isResent()))
        .filter(entry -> rows.containsKey(entry.getKey()))
        .count();
  }

  /** By the requester that the generator knows; by that of the row where it knows none. */
  private long wrongIssuer() {
    Map<String, String> askedBy =
        evidence.exchanges().stream()
            .map(Exchange::request)
            .collect(
                Collectors.toMap(
                    Exchange.Request::key, Exchange.Request::requester, (one, same) -> one));
    return evidence.rows().stream()
        .filter(
            row ->
                !row.issuer().equals(plan.issuer(askedBy.getOrDefault(row.key(), row.requester()))))
        .count();
  }
}
