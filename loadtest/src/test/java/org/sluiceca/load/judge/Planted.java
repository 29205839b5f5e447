package org.sluiceca.load.judge;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.inside.TimeoutLadder;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanFile;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.LedgerRow;
import org.sluiceca.load.watch.ProcessTimes;

/** A run of ten seconds in which all went well, and ways to spoil it. */
final class Planted {

  static final long SECOND = 1_000_000_000L;

  /** Requests of each requester; all are issued, a tenth of a second after they were due. */
  static final int EACH = 100;

  private static final String PLAN =
      """
      nodes = 2
      hsm.rate = 20
      phases = p
      settle = 0
      seconds = 10
      phase.p.offer = a 0.5, b 0.5
      phase.p.goals = jain-nodes >= 0.99; jain-requesters >= 0.99; retry-after-share >= 1; latency-p99 <= 200
      """;

  private final Plan plan;
  private final List<Exchange> exchanges = new ArrayList<>();
  private final List<LedgerRow> rows = new ArrayList<>();
  private final List<Occurrence> occurrences = new ArrayList<>();
  private TimeoutLadder ladder = TimeoutLadder.none();

  Planted() {
    this(PLAN, "issuing");
  }

  private Planted(String text, String issuerOfB) {
    plan = plan(text);
    for (int i = 0; i < 2 * EACH; i++) {
      String requester = i % 2 == 0 ? "a" : "b";
      Exchange.Request request = new Exchange.Request("run-" + i, "p", requester, 0);
      long due = 10L * i * SECOND / (2 * EACH);
      exchanges.add(issued(request, due, "serial-" + i));
      // Both requesters meet both nodes.
      String issuer = i % 2 == 0 ? "issuing" : issuerOfB;
      rows.add(row(request, "serial-" + i, issuer, "node-" + (i / 8) % 2, due + SECOND / 10));
    }
  }

  /** The same, but that b asks for the profile of a second issuer. */
  static Planted ofTwoIssuers() {
    return new Planted(PLAN.replace("b 0.5", "b 0.5 @rsa") + "issuers = rsa rsa-4096\n", "rsa");
  }

  private static Plan plan(String text) {
    try {
      return PlanFile.parse("planted", new StringReader(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Exchange issued(Exchange.Request request, long due, String serial) {
    return new Exchange(
        request,
        0,
        due,
        due,
        due + SECOND / 10,
        201,
        Optional.of(serial),
        OptionalInt.empty(),
        false);
  }

  private static LedgerRow row(
      Exchange.Request request, String serial, String issuer, String node, long atNanos) {
    Instant at = Instant.ofEpochSecond(0, atNanos);
    return new LedgerRow(
        serial,
        request.requester(),
        request.key(),
        issuer,
        Optional.of(new LedgerRow.Outcome("issued", node, at)));
  }

  /** The same request answered with this status, and Retry-After if the service says so. */
  static Exchange answered(Exchange was, int status, OptionalInt retryAfter) {
    return new Exchange(
        was.request(),
        was.node(),
        was.dueNanos(),
        was.sentNanos(),
        was.doneNanos(),
        status,
        status == 202 ? was.serial() : Optional.empty(),
        retryAfter,
        false);
  }

  List<Exchange> exchanges() {
    return exchanges;
  }

  List<LedgerRow> rows() {
    return rows;
  }

  /** Changes every nth request's answer. */
  Planted answers(int every, UnaryOperator<Exchange> change) {
    for (int i = 0; i < exchanges.size(); i += every) {
      exchanges.set(i, change.apply(exchanges.get(i)));
    }
    return this;
  }

  /** Changes every nth row. */
  Planted rows(int every, UnaryOperator<LedgerRow> change) {
    for (int i = 0; i < rows.size(); i += every) {
      rows.set(i, change.apply(rows.get(i)));
    }
    return this;
  }

  /** Something happened, or should have. */
  Planted happened(Occurrence occurrence) {
    occurrences.add(occurrence);
    return this;
  }

  /** Nodes that report these timeouts. */
  Planted waits(TimeoutLadder told) {
    ladder = told;
    return this;
  }

  Evidence evidence() {
    return new Evidence(exchanges, rows, Map.of("hsm", looks()), 0);
  }

  /** An HSM that signs all the time, and whose queue is empty. */
  private static List<HsmFigures> looks() {
    return IntStream.rangeClosed(0, 20)
        .mapToObj(i -> new HsmFigures(i * SECOND / 2, 1, 0, 0, 0, 0, 10L * i, 0, 0, 16))
        .toList();
  }

  PhaseJudge.Figures figures() {
    return figures(List.of("hsm"));
  }

  /** Figures of a run on these HSMs, which all did the same. */
  PhaseJudge.Figures figures(List<String> hsms) {
    HsmFigures hsm = new HsmFigures(10 * SECOND, 1, 0, 1, 2, 3, 200, 0, 0, 16);
    ProcessTimes used = new ProcessTimes(100, 100, 100, 400, 1000);
    PhaseRecord seen =
        new PhaseRecord(
            plan.phases().getFirst(),
            0,
            10 * SECOND + SECOND / 5,
            hsms.stream().collect(Collectors.toMap(name -> name, name -> hsm)),
            used,
            1,
            List.of(0, 1),
            0,
            occurrences,
            Map.of(),
            ladder,
            "",
            Map.of());
    return new PhaseJudge(plan, seen, evidence()).figures();
  }

  /** The goals that were missed, as the plan says them. */
  List<String> missed() {
    return Verdict.of(List.of(figures()), new Oracle(plan, evidence()).measures()).stream()
        .filter(verdict -> !verdict.isMet())
        .map(verdict -> verdict.goal().measure().key())
        .toList();
  }
}
