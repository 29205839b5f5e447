package org.sluiceca.api.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

/**
 * One logical request and its sender: it is sent once, or several at once, until it has an answer
 * that is final. Remembers the answers.
 */
final class Client {

  /** What kind of client it is. */
  private enum Kind {
    /** Repeats under one key until it has its certificate. */
    KEYED,
    /** The same, by several tasks at once on any nodes. */
    KEYED_TWICE,
    /** Has no key: asks again only after an answer that nothing happened. */
    KEYLESS,
    /** Uses its key for two payloads. */
    KEY_MISUSED,
    /** Sends what the database will not store. */
    BAD_ROW,
    /** Sends a request whose proof of possession does not hold. */
    BAD_CSR
  }

  private static final Duration GIVE_UP = Duration.ofSeconds(25);
  private static final int BAD_ATTEMPTS = 3;

  private final World world;
  private final List<SimNode> nodes;
  private final Oracle oracle;
  private final int number;
  private final Kind kind;
  private final Requester requester;
  private final Duration wait;
  private final List<Baton.Task> senders = new ArrayList<>();
  private final List<CertificateDer> got = new ArrayList<>();

  /** Of its two payloads: whether it received anything but a refusal that says "nothing". */
  private final boolean[] hasHope = new boolean[2];

  /** Of each task, which payload it sent last. */
  private final Map<Baton.Task, Integer> payloads = new LinkedHashMap<>();

  private Client(World world, List<SimNode> nodes, Oracle oracle, int number, Kind kind) {
    this.world = world;
    this.nodes = nodes;
    this.oracle = oracle;
    this.number = number;
    this.kind = kind;
    this.requester = Cast.REQUESTERS.get(number % Cast.REQUESTERS.size());
    int async = world.dice().below(4);
    this.wait = Duration.ofSeconds(async == 0 ? 0 : async == 1 ? 2 : 10);
  }

  static Client of(World world, List<SimNode> nodes, Oracle oracle, int number) {
    int dice = world.dice().below(100);
    Kind kind =
        dice < 45
            ? Kind.KEYED
            : dice < 65
                ? Kind.KEYED_TWICE
                : dice < 85
                    ? Kind.KEYLESS
                    : dice < 90 ? Kind.KEY_MISUSED : dice < 95 ? Kind.BAD_ROW : Kind.BAD_CSR;
    return new Client(world, nodes, oracle, number, kind);
  }

  void start(int spreadMillis) {
    int tasks = kind == Kind.KEYED_TWICE ? 2 + world.dice().below(2) : 1;
    long at = world.dice().below(spreadMillis) * 1_000_000L;
    for (int i = 0; i < tasks; i++) {
      senders.add(
          world
              .baton()
              .spawn(
                  "client",
                  null,
                  () -> {
                    world.baton().pass(at);
                    send();
                  }));
    }
  }

  boolean isOver() {
    return senders.stream().allMatch(Baton.Task::isOver);
  }

  private EnrollmentRequest request(int payload) {
    CsrDer csr = kind == Kind.BAD_CSR ? Cast.BAD_CSR : Cast.CSRS.get(2 * number + payload);
    Optional<IdempotencyKey> key =
        switch (kind) {
          case KEYLESS, BAD_CSR -> Optional.empty();
          case BAD_ROW -> Optional.of(new IdempotencyKey(Connection.BAD_ROW + number));
          case KEYED, KEYED_TWICE, KEY_MISUSED -> Optional.of(new IdempotencyKey("key-" + number));
        };
    return new EnrollmentRequest(requester, Fixtures.tlsServer().name(), csr, key);
  }

  private void send() {
    int attempts = 0;
    while (true) {
      attempts++;
      int payload = kind == Kind.KEY_MISUSED ? world.dice().below(2) : 0;
      payloads.put(world.baton().current(), payload);
      EnrollmentRequest request = request(payload);
      Optional<Answer> answer = call(node -> node.enroll(request, wait));
      if (isFinal(answer, attempts)) {
        return;
      }
      world.baton().pass(pause(answer));
    }
  }

  private boolean isFinal(Optional<Answer> answer, int attempts) {
    if (answer.isEmpty()) {
      hope();
      return kind == Kind.KEYLESS || isTriedEnough(attempts);
    }
    return switch (answer.get()) {
      case Answer.Certificate certificate -> has(certificate);
      case Answer.Accepted(SerialNumber order) -> poll(order) || isTriedEnough(attempts);
      case Answer.InProgress(SerialNumber order) -> {
        poll(order);
        yield isTriedEnough(attempts);
      }
      case Answer.Unavailable unavailable -> {
        hope();
        yield kind == Kind.KEYLESS || isTriedEnough(attempts);
      }
      case Answer.Rejected rejected -> kind == Kind.BAD_CSR || isTriedEnough(attempts);
      case Answer.GivenUp e -> false;
      case Answer.Shed e -> false;
      case Answer.Unknown e -> false;
    };
  }

  private boolean isTriedEnough(int attempts) {
    return switch (kind) {
      case KEYED, KEYED_TWICE, KEYLESS -> false;
      case KEY_MISUSED, BAD_ROW, BAD_CSR -> attempts >= BAD_ATTEMPTS;
    };
  }

  private void hope() {
    hasHope[payloads.getOrDefault(world.baton().current(), 0)] = true;
  }

  private boolean has(Answer.Certificate certificate) {
    hope();
    got.add(certificate.certificate());
    return true;
  }

  /** Asks for an order until it is over; returns whether that brought the certificate. */
  private boolean poll(SerialNumber order) {
    hope();
    while (true) {
      world.baton().pass(world.dice().millis(1_000, 4_000));
      Optional<Answer> answer = call(node -> node.look(order));
      if (answer.isPresent()) {
        switch (answer.get()) {
          case Answer.Certificate certificate -> {
            return has(certificate);
          }
          case Answer.GivenUp e -> {
            return false;
          }
          case Answer.Unknown e -> {
            world.found("an order that was promised is unknown");
            return false;
          }
          case Answer.Accepted e -> {}
          case Answer.Unavailable e -> {}
          case Answer.InProgress e -> {}
          case Answer.Rejected e -> {}
          case Answer.Shed e -> {}
        }
      }
    }
  }

  private long pause(Optional<Answer> answer) {
    return answer.isPresent() && answer.get() instanceof Answer.Shed(long nanos)
        ? Math.min(nanos, Duration.ofSeconds(8).toNanos())
        : world.dice().millis(50, 3_000);
  }

  /** Sends something to some node, over a network that loses and repeats; empty: no answer. */
  private Optional<Answer> call(Function<SimNode, Answer> handler) {
    Baton baton = world.baton();
    Weather.Network weather = world.weather().network();
    baton.pass(world.dice().nanos(Duration.ofNanos(50_000), Duration.ofMillis(4)));
    SimNode node = nodes.get(world.dice().below(nodes.size()));
    if (node.isDead()) {
      return Optional.empty();
    }
    if (world.strikes(weather.requestLost(), "request lost")) {
      baton.pass(GIVE_UP.toNanos());
      return Optional.empty();
    }
    if (world.strikes(weather.duplicated(), "request repeated")) {
      hope();
      baton.spawn("request", node, () -> oracle.sent(handler.apply(node)));
    }
    Baton.Task self = baton.current();
    Answer[] reply = new Answer[1];
    baton.spawn(
        "request",
        node,
        () -> {
          Answer answer = handler.apply(node);
          node.boundary("answer unsent");
          oracle.sent(answer);
          reply[0] = answer;
          baton.wake(self);
        });
    long end = world.now() + GIVE_UP.toNanos();
    while (reply[0] == null && world.now() < end && !node.isDead()) {
      baton.await(Math.min(end, world.now() + Duration.ofSeconds(2).toNanos()));
    }
    @Nullable Answer answer = reply[0];
    return world.strikes(weather.answerLost(), "answer lost")
        ? Optional.empty()
        : Optional.ofNullable(answer);
  }

  /** After the end: what this client received, against what the ledger holds. */
  void judge(SimDatabase database) {
    oracle.check(isOver(), "a client without a final answer in a healed world: " + kind);
    oracle.check(
        got.stream().distinct().count() <= 1 || kind == Kind.KEY_MISUSED,
        "a client has two certificates");
    int live = 0;
    for (int payload = 0; payload < hasHope.length; payload++) {
      OctetString hash = Cast.payloadHash(Cast.CSRS.get(2 * number + payload));
      long issued =
          database.intents.values().stream()
              .filter(r -> r.intent().payloadHash().equals(hash))
              .filter(r -> database.isIssued(r.intent().serialNumber()))
              .count();
      oracle.check(hasHope[payload] || issued == 0, "issued for who was refused: " + kind);
      live += (int) issued;
    }
    if (kind == Kind.BAD_ROW || kind == Kind.BAD_CSR) {
      oracle.check(got.isEmpty() && live == 0, "issued what must be refused");
    }
  }
}
