package org.sluiceca.api.console.live;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.sluiceca.api.console.live.feed.Causes;
import org.sluiceca.api.console.live.feed.Figures;
import org.sluiceca.api.console.live.feed.LiveFeed;
import org.sluiceca.api.console.live.feed.Rates;
import org.sluiceca.api.console.live.feed.Reading;
import org.sluiceca.api.console.live.feed.Verdict;
import org.sluiceca.api.console.live.nodes.NodesFeed;
import org.sluiceca.api.hsm.capacity.CapacityReader.TokenFigures;
import org.sluiceca.core.admit.Occupancy.LaneOccupancy;
import org.sluiceca.core.request.Requester;

/**
 * What the live page shows, in the words and numbers that it shows: the template writes it, and the
 * page's script puts the same into the same places.
 *
 * @param at the time, UTC
 * @param lists the rows of each part of the page, by its name
 */
record LiveView(String at, Verdict verdict, Map<String, List<Row>> lists) {

  /**
   * A stage, or a row of a table.
   *
   * @param fields texts by place
   * @param meter from 0 to 1
   * @param state {@code calm}, {@code busy}, {@code full} or {@code lost}: the colour
   * @param isMarked whether it is the bottleneck
   */
  record Row(Map<String, String> fields, double meter, String state, boolean isMarked) {}

  /** More would not fit a screen. */
  static final int ROWS_MAX = 8;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  static final String NAME = "name";
  private static final String RATE = "rate";
  private static final String VALUE = "value";
  private static final String UNIT = "unit";
  private static final String NOTE = "note";

  /** What the page's script copies for a row more. */
  static final Row BLANK = new Row(Map.of(), 0, "", false);

  /** Shows a moment of this node, and the other nodes as they were heard last. */
  static LiveView of(LiveFeed.Moment moment, Requester viewer, NodesFeed nodes) {
    LiveView node = of(moment.reading(), moment.rates(), viewer);
    Map<String, List<Row>> lists = new HashMap<>(node.lists());
    lists.putAll(NodesView.lists(nodes.own(moment), moment.rates().isKnown(), nodes.neighbours()));
    return new LiveView(node.at(), node.verdict(), lists);
  }

  /**
   * Shows a moment of this node.
   *
   * @param rates until then
   */
  static LiveView of(Reading now, Rates rates, Requester viewer) {
    Verdict verdict = Verdict.of(now, rates);
    return new LiveView(
        TIME.format(now.at()),
        verdict,
        Map.of(
            "stages", stages(now, rates, verdict),
            "lanes", now.line().lanes().stream().map(LiveView::lane).toList(),
            "tokens", now.tokens().stream().map(token -> token(token, rates)).toList(),
            "refusals", refusals(now, rates),
            "shares", RequesterShares.rows(rates, viewer),
            "protocols", ProtocolShares.rows(rates)));
  }

  private static List<Row> stages(Reading now, Rates rates, Verdict verdict) {
    return Stream.concat(line(now, rates, verdict), signing(now, rates, verdict)).toList();
  }

  private static Stream<Row> line(Reading now, Rates rates, Verdict verdict) {
    double places = part(now.line().inFlight(), now.line().placesMax());
    double lanes =
        now.line().lanes().stream().mapToDouble(l -> part(l.depth(), l.capacity())).max().orElse(0);
    int onLine = now.line().lanes().stream().mapToInt(LaneOccupancy::depth).sum();
    double forCause = rates.refusedInAll() - rates.shedInAll();
    return Stream.of(
        stage(
            verdict,
            "arrival",
            Map.of(
                VALUE,
                measured(rates, rates.admitted() + rates.shedInAll()),
                UNIT,
                "requests/s",
                NOTE,
                measured(rates, rates.shedInAll()) + "/s turned away for load"),
            0,
            "calm"),
        stage(
            verdict,
            "admission",
            Map.of(
                VALUE, Figures.count(now.line().inFlight()),
                UNIT, "of " + Figures.count(now.line().placesMax()) + " places taken",
                NOTE, measured(rates, forCause) + "/s refused for cause"),
            places,
            state(places)),
        stage(
            verdict,
            "lanes",
            Map.of(
                VALUE,
                Figures.count(onLine),
                UNIT,
                "on the line",
                NOTE,
                "the oldest for " + Figures.seconds(now.oldestSeconds())),
            lanes,
            state(lanes)));
  }

  private static Stream<Row> signing(Reading now, Rates rates, Verdict verdict) {
    int inflight = now.tokens().stream().mapToInt(t -> t.load().inflight()).sum();
    double window = now.tokens().stream().mapToDouble(t -> t.load().window()).sum();
    double capacity = now.tokens().stream().mapToDouble(t -> t.load().capacityPerSecond()).sum();
    double signed = rates.tokens().values().stream().mapToDouble(n -> n).sum();
    double used = rates.utilizationInAll();
    boolean isLost = now.tokens().stream().noneMatch(TokenFigures::isUsable);
    String wait = Figures.seconds(rates.waitSeconds());
    return Stream.of(
        stage(
            verdict,
            "window",
            Map.of(
                VALUE, Figures.count(inflight),
                UNIT, "of " + Figures.count(Math.ceil(window)) + " jobs in the HSM",
                NOTE, Figures.count(now.queued()) + " before it; mean wait " + wait),
            part(inflight, window),
            state(part(inflight, window))),
        stage(
            verdict,
            "hsm",
            Map.of(
                VALUE, isLost ? "lost" : Figures.percent(used),
                UNIT, isLost ? "no token can sign" : "of its window used",
                NOTE, measured(rates, signed) + " of " + Figures.rate(capacity) + " signatures/s"),
            used,
            isLost ? "lost" : state(used)),
        stage(
            verdict,
            "issued",
            Map.of(
                VALUE,
                measured(rates, rates.issued()),
                UNIT,
                "certificates/s",
                NOTE,
                Figures.count(now.counts().issued()) + " since the node began"),
            0,
            "calm"));
  }

  private static Row stage(
      Verdict verdict, String id, Map<String, String> fields, double meter, String state) {
    return new Row(fields, meter, state, verdict.stage().equals(id));
  }

  private static Row lane(LaneOccupancy lane) {
    double meter = part(lane.depth(), lane.capacity());
    return new Row(
        Map.of(
            NAME,
            Causes.words(lane.lane().name()),
            "depth",
            Figures.count(lane.depth()),
            "capacity",
            Figures.count(lane.capacity()),
            "oldest",
            Figures.seconds(lane.oldestAgeNanos() / 1e9),
            "eta",
            Figures.seconds(lane.etaSeconds()),
            RATE,
            lane.perSecond() == 0 ? "–" : Figures.rate(lane.perSecond()) + "/s"),
        meter,
        state(meter),
        false);
  }

  private static Row token(TokenFigures token, Rates rates) {
    double used = rates.utilization().getOrDefault(token.name(), 0.0);
    TokenFigures.Load load = token.load();
    return new Row(
        Map.of(
            NAME,
            token.name(),
            "state",
            Causes.words(token.state()),
            "used",
            Figures.percent(used),
            "inflight",
            Figures.count(load.inflight()),
            "window",
            Figures.count(Math.ceil(load.window())),
            "queued",
            Figures.count(load.queued()),
            RATE,
            measured(rates, rates.tokens().getOrDefault(token.name(), 0.0)) + "/s",
            "mean",
            Figures.seconds(load.meanSeconds())),
        used,
        token.isUsable() ? state(used) : "lost",
        false);
  }

  /** Those that happen now first, then those that happened most. */
  private static List<Row> refusals(Reading now, Rates rates) {
    record Refusal(String name, String why, double rate, double count) {}
    List<Refusal> all = new ArrayList<>();
    now.counts()
        .shed()
        .forEach(
            (cause, count) ->
                all.add(
                    new Refusal(
                        cause,
                        "load: " + Causes.explanation(cause),
                        rates.shed().getOrDefault(cause, 0.0),
                        count)));
    now.counts()
        .rejected()
        .forEach(
            (reason, count) ->
                all.add(
                    new Refusal(
                        reason,
                        "cause: the request itself",
                        rates.rejected().getOrDefault(reason, 0.0),
                        count)));
    return all.stream()
        .filter(refusal -> refusal.count() > 0)
        .sorted(
            Comparator.comparingDouble(Refusal::rate)
                .thenComparingDouble(Refusal::count)
                .reversed()
                .thenComparing(Refusal::name))
        .limit(ROWS_MAX)
        .map(
            refusal ->
                new Row(
                    Map.of(
                        NAME,
                        Causes.words(refusal.name()),
                        "why",
                        refusal.why(),
                        RATE,
                        measured(rates, refusal.rate()) + "/s",
                        "count",
                        Figures.count(refusal.count())),
                    0,
                    refusal.rate() > 0 ? "full" : "calm",
                    false))
        .toList();
  }

  private static String measured(Rates rates, double perSecond) {
    return rates.isKnown() ? Figures.rate(perSecond) : "–";
  }

  static String state(double part) {
    if (part >= Verdict.FULL) {
      return "full";
    }
    return part >= Verdict.BUSY ? "busy" : "calm";
  }

  static double part(double number, double of) {
    return of == 0 ? 0 : Math.clamp(number / of, 0.0, 1.0);
  }
}
