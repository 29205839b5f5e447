package org.sluiceca.api.console.live.feed;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.sluiceca.api.hsm.capacity.CapacityReader.TokenFigures;

/**
 * What limits the node now, in a sentence.
 *
 * @param state {@code idle}, {@code calm}, {@code busy}, {@code full} or {@code lost}
 * @param stage where the bottleneck is: the id of a stage, or empty where there is none
 */
public record Verdict(String state, String stage, String text) {

  /** From here on a queue grows quickly with every request more. */
  public static final double BUSY = 0.7;

  /** A token that is so far used has no room. */
  public static final double FULL = 0.95;

  /** Causes that say no more than that requests come faster than they are done. */
  private static final Set<String> LINE_FULL = Set.of("saturated", "deadline_unreachable");

  /** Judges a node by its last reading and the rates until then. */
  public static Verdict of(Reading now, Rates rates) {
    if (now.tokens().stream().noneMatch(TokenFigures::isUsable)) {
      return new Verdict(
          "lost", "hsm", "No HSM can sign. Requests are refused until a token is back.");
    }
    Map.Entry<String, Double> fullest =
        rates.utilization().entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .orElse(Map.entry("", 0.0));
    return rates.shedInAll() > 0 ? refusing(rates, fullest) : accepting(now, rates, fullest);
  }

  /** A full line has its cause further on: in the HSM, or in the node and its database. */
  private static Verdict refusing(Rates rates, Map.Entry<String, Double> fullest) {
    String refused = Figures.rate(rates.shedInAll()) + " requests a second are refused for load";
    String cause =
        rates.shed().entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse("");
    boolean isLineFull = LINE_FULL.contains(cause);
    if (isLineFull && fullest.getValue() >= FULL) {
      return new Verdict(
          "full",
          "hsm",
          text(
              "The HSM is the bottleneck: the window of %s is full, and %s.",
              fullest.getKey(), refused));
    }
    if (isLineFull && fullest.getValue() < BUSY) {
      return new Verdict(
          "full",
          Causes.stage(cause),
          text("%s, and the HSM has room: the node or its database is the bottleneck.", refused));
    }
    return new Verdict(
        "full", Causes.stage(cause), text("%s: %s", refused, Causes.explanation(cause)));
  }

  private static Verdict accepting(Reading now, Rates rates, Map.Entry<String, Double> fullest) {
    int queued = now.queued();
    if (fullest.getValue() >= FULL && queued > 0) {
      return new Verdict(
          "busy",
          "hsm",
          text(
              "The HSM is the bottleneck: the window of %s is full, and %d signatures wait for it.",
              fullest.getKey(), queued));
    }
    if (fullest.getValue() >= BUSY) {
      return new Verdict(
          "busy",
          "hsm",
          text(
              "Busy: the window of %s is used at %s, and nothing is refused.",
              fullest.getKey(), Figures.percent(fullest.getValue())));
    }
    if (!rates.isKnown()) {
      return new Verdict("idle", "", "Measuring. Rates are known after a second.");
    }
    if (rates.admitted() == 0 && rates.issued() == 0) {
      return new Verdict("idle", "", "Idle. No request has come in the last seconds.");
    }
    return new Verdict(
        "calm",
        "",
        text(
            "Calm: %s certificates a second, and the HSM has room.", Figures.rate(rates.issued())));
  }

  @FormatMethod
  private static String text(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
