package org.sluiceca.load.gatling;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.pause;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.scenario.wire.Arrivals;
import org.sluiceca.load.scenario.wire.Population;

/**
 * The life of the virtual users of a population: each takes the next request that is due, waits for
 * its moment, sends it, writes down what came of it, and comes again if it was refused and its
 * population does so.
 */
final class Life {

  /** Wait of a client that receives no Retry-After or ignores it, as in most libraries. */
  private static final int UNTOLD_SECONDS = 1;

  private final Population population;
  private final Arrivals arrivals;
  private final Clock clock;
  private final Calls calls;
  private final RequestRecords records;

  Life(Population population, Arrivals arrivals, Clock clock, Calls calls, RequestRecords records) {
    this.population = population;
    this.arrivals = arrivals;
    this.clock = clock;
    this.calls = calls;
    this.records = records;
  }

  ChainBuilder chain() {
    return exec(this::begin)
        .exec(
            asLongAs(session -> hasMore(session))
                .on(
                    // Gatling's pauses are of whole milliseconds, and may end early after late
                    // ones.
                    asLongAs(session -> millisLeft(session) > 0)
                        .on(pause(session -> Duration.ofMillis(millisLeft(session)))),
                    exec(this::prepare),
                    doIf(session -> hasMore(session))
                        .then(exec(calls.action(population)).exec(this::note))));
  }

  /** Before its request is due, so that nothing but sending is left to do then. */
  private Session begin(Session session) {
    long started = System.nanoTime();
    return arrivals
        .poll()
        .map(due -> session.set(Calls.VISIT, new Due(due, started)))
        .orElse(session);
  }

  /** A request that is due, of which it is not yet known what it is about. */
  private record Due(Arrivals.Due due, long startedNanos) {}

  private static boolean hasMore(Session session) {
    Object mine = session.contains(Calls.VISIT) ? session.get(Calls.VISIT) : null;
    return mine instanceof Due || (mine instanceof Visit visit && !visit.isOver);
  }

  private long millisLeft(Session session) {
    Object mine = session.get(Calls.VISIT);
    return switch (mine) {
      case Due due -> Clock.millisUntil(clock.at(due.due().afterNanos()));
      case Visit visit -> Clock.millisUntil(visit.dueNanos);
      case null, default -> 0;
    };
  }

  /** At its moment: what it is about is chosen of what is there now. */
  private Session prepare(Session session) {
    Object mine = session.get(Calls.VISIT);
    Session clean =
        session.removeAll(Calls.STATUS, Calls.LOCATION, Calls.RETRY_AFTER, Calls.PROBLEM);
    if (mine instanceof Visit again) {
      again.node = calls.targets().next();
      again.sentNanos = System.nanoTime();
      return clean;
    }
    if (!(mine instanceof Due due)) {
      return clean;
    }
    Optional<Calls.Ask> ask = calls.ask(population, due.due().phase());
    if (ask.isEmpty()) {
      return clean.remove(Calls.VISIT);
    }
    Visit visit = new Visit(due.due(), clock, due.startedNanos(), ask.get());
    visit.node = calls.targets().next();
    visit.sentNanos = System.nanoTime();
    return clean.set(Calls.VISIT, visit);
  }

  private Session note(Session session) {
    long done = System.nanoTime();
    Visit visit = Calls.visit(session);
    int status = session.contains(Calls.STATUS) ? session.getInt(Calls.STATUS) : 0;
    OptionalInt retryAfter = seconds(text(session, Calls.RETRY_AFTER));
    boolean isGranted = status == 201 || status == 202;
    String serial =
        visit.ask.kind().isIssuance()
            ? isGranted ? lastPart(text(session, Calls.LOCATION)) : ""
            : visit.ask.serial();
    records.write(
        new Exchange(
            visit.ask.request(calls.phase(visit.phase), visit.attempt),
            visit.node,
            visit.dueNanos,
            visit.startedNanos,
            visit.sentNanos,
            done,
            status,
            Optional.of(serial).filter(one -> !one.isEmpty()),
            retryAfter,
            false,
            lastPart(text(session, Calls.PROBLEM))),
        visit.phase);
    if (status == 201 && !serial.isEmpty()) {
      calls.issued(visit.ask, serial);
    }
    next(visit, status, retryAfter, done);
    return session.markAsSucceeded();
  }

  /** A client that does not know what became of its request asks again with the same key. */
  private void next(Visit visit, int status, OptionalInt retryAfter, long done) {
    boolean isTurnedAway = status == 429 || status == 503 || status == 0;
    long pause =
        switch (population.whenRefused()) {
          case LEAVE -> -1;
          case OBEY -> Math.max(UNTOLD_SECONDS, retryAfter.orElse(0));
          case IGNORE -> UNTOLD_SECONDS;
        };
    long due = done + TimeUnit.SECONDS.toNanos(pause);
    if (!isTurnedAway || pause < 0 || due >= visit.untilNanos) {
      visit.isOver = true;
      return;
    }
    visit.dueNanos = due;
    visit.attempt++;
  }

  private static String text(Session session, String name) {
    String text = session.contains(name) ? session.getString(name) : null;
    return text == null ? "" : text;
  }

  /** RFC 9110 10.2.3; the service never sends a date. */
  private static OptionalInt seconds(String text) {
    return text.matches("[0-9]{1,6}")
        ? OptionalInt.of(Integer.parseInt(text))
        : OptionalInt.empty();
  }

  private static String lastPart(String path) {
    return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('#')) + 1);
  }
}
