package org.sluiceca.load.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.load.soak.FaultInjector.Kind;
import org.sluiceca.load.soak.SoakResult.Numbers;
import org.sluiceca.load.soak.judge.Findings;
import org.sluiceca.load.soak.judge.Rule;

/** A soak that saw all there is meets its goals; one to which something is lacking does not. */
class SoakResultTest {

  private static final SoakTerms LONG = new SoakTerms(1_200, 8);
  private static final SoakTerms SHORT = new SoakTerms(35, 8);
  private static final List<Numbers> LINES = List.of(new Numbers(5, 3), new Numbers(5, 3));

  private static Findings allBut(Rule... unjudged) {
    Findings findings = new Findings();
    Stream.of(Rule.values())
        .filter(rule -> !List.of(unjudged).contains(rule))
        .forEach(rule -> findings.check(rule, true, ""));
    return findings;
  }

  private static SoakResult result(
      SoakTerms terms, Findings findings, List<Numbers> lines, Kind... upsets) {
    Map<String, Integer> done = new HashMap<>();
    Stream.of(upsets).forEach(kind -> done.put(kind.words(), 1));
    return new SoakResult(
        "soak",
        terms,
        new SoakResult.Counts(
            100, Map.of("revoked", 11L), done, 1, lines, 1_000, 9, List.of(), List.of()),
        findings,
        "verified");
  }

  private static List<String> missed(SoakResult result) {
    return result.goals().missed();
  }

  @Test
  void allSeen_met() {
    assertThat(missed(result(LONG, allBut(), LINES, Kind.values()))).isEmpty();
    assertThat(missed(result(SHORT, allBut(Rule.OCSP_BACK), LINES, Kind.KILLED, Kind.STOPPED)))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void ruleNeverChecked_missed(Rule rule) {
    assertThat(missed(result(LONG, allBut(rule), LINES, Kind.values())))
        .containsExactly(rule.words());
    assertThat(missed(result(SHORT, allBut(rule), LINES, Kind.KILLED, Kind.STOPPED)))
        .isEqualTo(rule == Rule.OCSP_BACK ? List.of() : List.of(rule.words()));
  }

  @ParameterizedTest
  @EnumSource
  void ruleBroken_missed(Rule rule) {
    Findings findings = allBut();
    findings.breach(rule, "planted");

    assertThat(missed(result(SHORT, findings, LINES, Kind.KILLED, Kind.STOPPED)))
        .containsExactly(rule.words());
  }

  @Test
  void scopeWithoutDeltas_orNoScopes_missed() {
    List<Numbers> lines = List.of(new Numbers(5, 30), new Numbers(5, 0));
    String goal = "every scope had complete CRLs and deltas";

    assertThat(missed(result(LONG, allBut(), lines, Kind.values()))).containsExactly(goal);
    assertThat(missed(result(LONG, allBut(), List.of(), Kind.values()))).containsExactly(goal);
  }

  @Test
  void twoKindsOfTheSame_missed() {
    assertThat(missed(result(LONG, allBut(), LINES, Kind.STOPPED, Kind.STOPPED_LONG)))
        .containsExactly("nodes were killed");
    assertThat(missed(result(SHORT, allBut(), LINES, Kind.KILLED)))
        .containsExactly("nodes were stopped");
    assertThat(missed(result(LONG, allBut(), LINES, Kind.STOPPED_AND_KILLED)))
        .containsExactly("nodes were stopped for longer than a CRL holds");
  }
}
