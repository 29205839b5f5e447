package org.sluiceca.core.intent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.LedgerStore.TakenOver;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.x509.SerialNumber;

/** What every {@link OrderStore} must do in addition to its {@link LedgerStore}. */
public abstract class OrderStoreContract extends LedgerStoreContract {

  /** The backlog of the store under test. */
  protected abstract OrderStore orders();

  @Test
  void recordOrder_new_pendingAndInTheBacklog() {
    Intent order = ordered(Intents.ALICE);

    assertThat(found(order).intent()).isEqualTo(order);
    assertThat(found(order).outcome()).isEmpty();
    assertThat(orders().depths().of(Intents.ALICE)).isEqualTo(1);
    assertThat(orders().depths().total()).isEqualTo(1);
    assertThat(orders().before(order.serialNumber())).contains(0L);
  }

  @Test
  void recordIntent_notAnOrder_notInTheBacklog() {
    Intent intent = recorded();

    assertThat(orders().depths().total()).isZero();
    assertThat(orders().before(intent.serialNumber())).isEmpty();
  }

  @Test
  void recordOrder_repeated_onceInTheBacklogAndNotPutBack() {
    Intent order = ordered(Intents.ALICE);
    assertThat(order(order)).isEqualTo(new IntentAnswer.Recorded());
    assertThat(orders().depths().total()).isEqualTo(1);
    assertThat(take(Intents.ALICE, 9)).hasSize(1);

    assertThat(order(order)).isEqualTo(new IntentAnswer.Recorded());

    assertThat(orders().depths().total()).isZero();
    assertThat(take(Intents.ALICE, 9)).isEmpty();
  }

  @Test
  void recordOrder_keyInUse_nothingRecorded() {
    IdempotencyKey key = new IdempotencyKey("order-" + intents.next().serialNumber().hex());
    Intent first = intents.next(Intents.ALICE, key);
    Intent second = intents.next(Intents.ALICE, key);
    order(first);

    assertThat(order(second)).isEqualTo(new IntentAnswer.KeyInUse(found(first)));
    assertThat(record(second)).isEqualTo(new IntentAnswer.KeyInUse(found(first)));

    assertThat(orders().depths().total()).isEqualTo(1);
    assertThat(store().find(second.serialNumber())).isEmpty();
  }

  /** However long it waits: it is no recovery's business until a node takes it. */
  @Test
  void claimExpired_orderInTheBacklog_leftThere() {
    Intent order = ordered(Intents.ALICE);
    for (int i = 0; i < 3; i++) {
      pass(LIFETIME.multipliedBy(3));
      assertThat(store().claimExpired(NODE_1, 10)).isEmpty();
    }

    assertThat(take(Intents.ALICE, 9))
        .extracting(t -> t.intent().serialNumber())
        .containsExactly(order.serialNumber());
  }

  @Test
  void takeOrders_waiting_takenWithContentByTheFirstEpoch() {
    Intent order = ordered(Intents.ALICE);
    long takenBefore = orders().depths().taken();

    TakenOver taken = take(Intents.ALICE, 9).getFirst();

    assertThat(taken.intent()).isEqualTo(order);
    assertThat(taken.epoch()).isEqualTo(1);
    assertThat(taken.untouched()).isTrue();
    assertThat(taken.takenAt()).isAfterOrEqualTo(taken.recordedAt());
    assertThat(orders().depths().taken()).isEqualTo(takenBefore + 1);
    assertThat(orders().depths().total()).isZero();
    assertThat(orders().before(order.serialNumber())).isEmpty();
    assertThat(decide(order, issued(1), claim(NODE_1, 1))).isEqualTo(new OutcomeAnswer.Recorded());
  }

  @Test
  void takeOrders_severalRequesters_asManyOfEachAsAskedOldestFirst() {
    List<SerialNumber> alice = serials(5, Intents.ALICE);
    List<SerialNumber> bob = serials(5, Intents.BOB);
    assertThat(orders().before(alice.get(3))).contains(3L);
    SequencedMap<RequesterId, Integer> most = new LinkedHashMap<>();
    most.put(Intents.ALICE, 2);
    most.put(Intents.BOB, 3);

    List<SerialNumber> taken = serialsOf(orders().takeOrders(NODE_1, most));

    assertThat(taken).containsExactlyInAnyOrderElementsOf(both(alice, 0, 2, bob, 0, 3));
    assertThat(orders().before(alice.get(3))).contains(1L);
    assertThat(serialsOf(orders().takeOrders(NODE_0, most)))
        .containsExactlyInAnyOrderElementsOf(both(alice, 2, 4, bob, 3, 5));
    assertThat(orders().depths().byRequester()).containsOnlyKeys(Intents.ALICE);
  }

  @Test
  void takeOrders_takerLetsItLie_recoveryGoesOn() {
    Intent order = ordered(Intents.ALICE);
    pass(LIFETIME.multipliedBy(2));
    assertThat(store().claimExpired(NODE_0, 10)).isEmpty();
    assertThat(take(Intents.ALICE, 1)).hasSize(1);
    assertThat(store().claimExpired(NODE_0, 10)).isEmpty();

    pass(LIFETIME);

    List<TakenOver> recovered = store().claimExpired(NODE_0, 10);
    assertThat(recovered).extracting(TakenOver::intent).containsExactly(order);
    assertThat(recovered.getFirst().epoch()).isEqualTo(2);
    assertThat(recovered.getFirst().untouched()).isFalse();
    assertThat(decide(order, issued(1), claim(NODE_1, 1))).isEqualTo(new OutcomeAnswer.ClaimLost());
  }

  @Test
  void takeOrders_decidedMeanwhile_leavesTheBacklogAndIsNotReturned() {
    Intent order = ordered(Intents.ALICE);
    Intent other = ordered(Intents.ALICE);
    assertThat(decide(order, issued(1), claim(NODE_0, 0))).isEqualTo(new OutcomeAnswer.Recorded());

    assertThat(serialsOf(take(Intents.ALICE, 9))).containsExactly(other.serialNumber());
    assertThat(orders().depths().total()).isZero();
  }

  @Test
  void takeOrders_severalCallersAtOnce_oneGetsEach() {
    List<SerialNumber> waiting = serials(40, Intents.ALICE);

    List<List<TakenOver>> taken =
        together(
            8,
            i -> {
              List<TakenOver> mine = new ArrayList<>();
              ClaimTerms terms = new ClaimTerms(new NodeId("taker-" + i), LIFETIME);
              List<TakenOver> some = orders().takeOrders(terms, of(Intents.ALICE, 3));
              while (!some.isEmpty() || orders().depths().total() > 0) {
                mine.addAll(some);
                some = orders().takeOrders(terms, of(Intents.ALICE, 3));
              }
              return mine;
            });

    assertThat(taken.stream().flatMap(List::stream).map(t -> t.intent().serialNumber()))
        .containsExactlyInAnyOrderElementsOf(waiting);
    assertThat(orders().depths().total()).isZero();
  }

  @Test
  void takeOver_orderInTheBacklog_untouchedAndOutOfIt() {
    Intent order = ordered(Intents.ALICE);
    Intent other = ordered(Intents.ALICE);

    TakenOver taken = store().takeOver(order.serialNumber(), NODE_1).orElseThrow();

    assertThat(taken.untouched()).isTrue();
    assertThat(taken.epoch()).isEqualTo(1);
    assertThat(orders().depths().total()).isEqualTo(1);
    assertThat(serialsOf(take(Intents.ALICE, 9))).containsExactly(other.serialNumber());
  }

  /** Cancelling is two commits; a node may die between them. */
  @Test
  void takeOver_orderInTheBacklogAndTakerLetsItLie_recoveryGoesOn() {
    Intent order = ordered(Intents.ALICE);
    pass(LIFETIME.multipliedBy(2));
    assertThat(store().claimExpired(NODE_0, 10)).isEmpty();
    assertThat(store().takeOver(order.serialNumber(), NODE_1)).isPresent();

    pass(LIFETIME);

    assertThat(store().claimExpired(NODE_0, 10))
        .extracting(TakenOver::intent)
        .containsExactly(order);
  }

  @Test
  void takeOver_orderThatWasTaken_perhapsSigned() {
    Intent order = ordered(Intents.ALICE);
    assertThat(take(Intents.ALICE, 1)).hasSize(1);

    TakenOver taken = store().takeOver(order.serialNumber(), NODE_0).orElseThrow();

    assertThat(taken.untouched()).isFalse();
    assertThat(taken.epoch()).isEqualTo(2);
  }

  @Test
  void takeOrdersAndTakeOver_atOnce_oneGetsEachOrTheLaterEpoch() {
    List<SerialNumber> waiting = serials(24, Intents.ALICE);

    List<List<TakenOver>> taken =
        together(
            8,
            i ->
                i % 2 == 0
                    ? orders()
                        .takeOrders(
                            new ClaimTerms(new NodeId("taker-" + i), LIFETIME),
                            of(Intents.ALICE, 6))
                    : waiting.subList(6 * (i / 2), 6 * (i / 2) + 6).stream()
                        .map(s -> store().takeOver(s, NODE_1))
                        .flatMap(Optional::stream)
                        .toList());

    List<String> epochs =
        taken.stream()
            .flatMap(List::stream)
            .map(t -> t.intent().serialNumber().hex() + "/" + t.epoch())
            .toList();
    assertThat(epochs).doesNotHaveDuplicates();
    assertThat(taken.stream().flatMap(List::stream).filter(TakenOver::untouched))
        .allMatch(t -> t.epoch() == 1);
    List<SerialNumber> owned =
        taken.stream().flatMap(List::stream).map(t -> t.intent().serialNumber()).toList();
    assertThat(waiting)
        .allMatch(s -> owned.contains(s) || orders().before(s).isPresent(), "taken or waiting");
    assertThat(
            taken.stream()
                .flatMap(List::stream)
                .filter(TakenOver::untouched)
                .map(t -> t.intent().serialNumber()))
        .doesNotHaveDuplicates();
  }

  /** Records the next intent as an order of this requester. */
  protected final Intent ordered(RequesterId requester) {
    Intent order =
        intents.next(requester, new IdempotencyKey("o" + intents.next().serialNumber().hex()));
    assertThat(order(order)).isEqualTo(new IntentAnswer.Recorded());
    return order;
  }

  private IntentAnswer order(Intent order) {
    return orders().recordOrder(order, NODE_0.owner(), soon());
  }

  private List<TakenOver> take(RequesterId requester, int most) {
    return orders().takeOrders(NODE_1, of(requester, most));
  }

  private static SequencedMap<RequesterId, Integer> of(RequesterId requester, int most) {
    SequencedMap<RequesterId, Integer> turns = new LinkedHashMap<>();
    turns.put(requester, most);
    return turns;
  }

  private List<SerialNumber> serials(int number, RequesterId requester) {
    return IntStream.range(0, number).mapToObj(i -> ordered(requester).serialNumber()).toList();
  }

  private static List<SerialNumber> both(
      List<SerialNumber> a, int aFrom, int aTo, List<SerialNumber> b, int bFrom, int bTo) {
    List<SerialNumber> both = new ArrayList<>(a.subList(aFrom, aTo));
    both.addAll(b.subList(bFrom, bTo));
    return both;
  }

  private static List<SerialNumber> serialsOf(List<TakenOver> taken) {
    return taken.stream().map(t -> t.intent().serialNumber()).toList();
  }
}
