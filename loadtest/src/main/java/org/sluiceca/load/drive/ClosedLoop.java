package org.sluiceca.load.drive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.sluiceca.load.plan.Offer;

/**
 * Sessions that ask one node for certificate after certificate, each when it has the one before: as
 * many requests are under way as there are sessions, however slow the service. Who is refused comes
 * again after Retry-After, with the same Idempotency-Key.
 *
 * <p>What such clients wait says nothing of what others would: a slow service is asked less often.
 * Their figures are for comparison with what was measured the same way.
 */
public final class ClosedLoop {

  /** Sessions begin one after another: their handshakes at once would hold the processors. */
  private static final long SPREAD_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final OpenLoop loop;
  private final Sender sender;

  private record Seat(String requester, int node) {}

  /** Sends through these. */
  public ClosedLoop(OpenLoop loop, Sender sender) {
    this.loop = loop;
    this.sender = sender;
  }

  /**
   * Lets the sessions of a stretch begin; returns at once. Each ends with the answer that it waits
   * for when the stretch does; {@link OpenLoop#awaitQuiet} waits for them.
   *
   * @param nodes that there are
   */
  public void begin(OpenLoop.Stretch stretch, List<Integer> nodes) {
    List<Seat> seats =
        stretch.offers().stream().flatMap(offer -> seats(offer, nodes).stream()).toList();
    long spread = Math.min(SPREAD_NANOS, (stretch.untilNanos() - stretch.fromNanos()) / 2);
    for (int i = 0; i < seats.size(); i++) {
      Seat seat = seats.get(i);
      long from = stretch.fromNanos() + spread * i / seats.size();
      loop.start(() -> ask(seat, stretch.phase(), from, stretch.untilNanos()));
    }
  }

  /** In an order in which all nodes are filled alike. */
  private static List<Seat> seats(Offer offer, List<Integer> nodes) {
    List<Seat> seats = new ArrayList<>();
    offer
        .loop()
        .ifPresent(
            closed -> {
              long asked = closed.nodes() == 0 ? nodes.size() : closed.nodes();
              for (int session = 0; session < closed.sessions(); session++) {
                for (String requester : offer.requesters()) {
                  nodes.stream().limit(asked).forEach(node -> seats.add(new Seat(requester, node)));
                }
              }
            });
    return seats;
  }

  private void ask(Seat seat, String phase, long from, long until) {
    Optional<Exchange> served;
    long due = from;
    do {
      served =
          sender.sendUntilServed(
              sender.request(phase, seat.requester()), due, until, OptionalInt.of(seat.node()));
      due = served.map(Exchange::doneNanos).orElse(until);
    } while (served.isPresent());
  }
}
