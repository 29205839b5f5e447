package org.sluiceca.core.renewal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.Validity;

/**
 * Clients whose certificates were issued within one hour, in virtual time, from a seed. Each wakes
 * in an interval of its own phase and does what RFC 9773 4.2 says. Immutable.
 */
final class Herd {

  static final Instant ISSUED = Instant.parse("2026-03-01T00:00:00Z");

  private static final int WAKES_MAX = 1_000;

  /** What a client can do with a time in its window. */
  enum Kind {
    /** Sleeps until the very time. */
    SCHEDULES,
    /** A timer's job: renews at once if the time is before its next run. */
    RUNS_BY_TIMER
  }

  /** What kind of clients, and how often they ask. */
  record Habit(Kind kind, Duration interval) {}

  /**
   * One client with its certificate.
   *
   * @param phase a moment at which it wakes
   */
  record Client(Validity validity, SerialNumber serial, Habit habit, Instant phase) {}

  private final String name;
  private final List<Client> clients = new ArrayList<>();
  private final long seed;

  /** Makes {@code count} clients, the habits in turn. */
  Herd(long seed, int count, Duration life, List<Habit> habits) {
    this.seed = seed;
    this.name = count + " clients: " + habits;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      Instant notBefore = ISSUED.plusSeconds(random.nextInt(3600));
      Validity validity = new Validity(notBefore, notBefore.plus(life));
      Habit habit = habits.get(i % habits.size());
      Instant phase = notBefore.plusMillis(random.nextLong(habit.interval().toMillis()));
      clients.add(new Client(validity, serial(random, validity), habit, phase));
    }
  }

  static SerialNumber serial(SplittableRandom random, Validity validity) {
    byte[] octets = new byte[SerialNumber.RANDOM_OCTETS];
    random.nextBytes(octets);
    return SerialNumber.compose(ExpiryWeek.of(validity.notAfter()), octets);
  }

  List<Client> clients() {
    return clients;
  }

  /** Returns when each renews who receives {@code windows} from {@code since} on. */
  List<Instant> renewals(Instant since, Function<Client, SuggestedWindow> windows) {
    SplittableRandom random = new SplittableRandom(~seed);
    return clients.stream()
        .map(client -> renewal(client, since, windows.apply(client), random))
        .toList();
  }

  /** Returns when each renews at two thirds of the life, as clients do without the windows. */
  List<Instant> renewalsAtTwoThirds() {
    return clients.stream()
        .map(
            client -> {
              Validity validity = client.validity();
              Duration life = Duration.between(validity.notBefore(), validity.notAfter());
              Instant due = validity.notBefore().plus(life.multipliedBy(2).dividedBy(3));
              return client.habit().kind() == Kind.SCHEDULES ? due : wakeFrom(client, due);
            })
        .toList();
  }

  /** RFC 9773 4.2; the time within the window is chosen again each time the client asks. */
  private static Instant renewal(
      Client client, Instant since, SuggestedWindow window, SplittableRandom random) {
    Duration interval = client.habit().interval();
    // What a client does that asks long before its window is to sleep: those wakes are skipped.
    Instant early = window.start().minus(interval.multipliedBy(2));
    Instant wake = wakeFrom(client, early.isAfter(since) ? early : since);
    for (int i = 0; i < WAKES_MAX; i++) {
      Instant next = wake.plus(interval);
      long width = Duration.between(window.start(), window.end()).toMillis();
      Instant chosen = window.start().plusMillis(random.nextLong(width + 1));
      if (chosen.isBefore(wake)) {
        return wake;
      }
      if (chosen.isBefore(next)) {
        return client.habit().kind() == Kind.SCHEDULES ? chosen : wake;
      }
      wake = next;
    }
    throw new AssertionError(client + " never renews");
  }

  /** Returns when the client wakes first, at {@code from} or later. */
  private static Instant wakeFrom(Client client, Instant from) {
    long interval = client.habit().interval().toMillis();
    long late = Math.floorMod(Duration.between(from, client.phase()).toMillis(), interval);
    return from.plusMillis(late);
  }

  @Override
  public String toString() {
    return name;
  }
}
