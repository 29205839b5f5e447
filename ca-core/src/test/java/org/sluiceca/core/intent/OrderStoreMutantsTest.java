package org.sluiceca.core.intent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.TakenOver;
import org.sluiceca.core.order.BacklogDepths;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.ForwardingLedgerStore;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.SerialNumber;

/** The contract notices every backlog that breaks one of its promises. */
class OrderStoreMutantsTest {

  /** A ledger and its backlog; each fault overrides one method. */
  private static class Faulty extends ForwardingLedgerStore implements OrderStore {
    final InMemoryLedgerStore memory;

    Faulty(InMemoryLedgerStore memory) {
      super(memory);
      this.memory = memory;
    }

    @Override
    public IntentAnswer recordOrder(Intent intent, NodeId recorder, Deadline deadline) {
      return memory.recordOrder(intent, recorder, deadline);
    }

    @Override
    public List<TakenOver> takeOrders(ClaimTerms terms, SequencedMap<RequesterId, Integer> most) {
      return memory.takeOrders(terms, most);
    }

    @Override
    public BacklogDepths depths() {
      return memory.depths();
    }

    @Override
    public Optional<Long> before(SerialNumber serialNumber) {
      return memory.before(serialNumber);
    }
  }

  private static final Map<String, UnaryOperator<Faulty>> FAULTS = new LinkedHashMap<>();

  static {
    FAULTS.put(
        "records the intent alone",
        sound ->
            new Faulty(sound.memory) {
              @Override
              public IntentAnswer recordOrder(Intent intent, NodeId recorder, Deadline deadline) {
                return memory.recordIntent(
                    intent, new ClaimTerms(recorder, Duration.ZERO), deadline);
              }
            });
    FAULTS.put(
        "forgets orders whose taker dies",
        sound ->
            new Faulty(sound.memory) {
              @Override
              public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
                return memory.claimExpired(terms, max).stream()
                    .filter(t -> t.intent().idempotencyKey().isEmpty())
                    .toList();
              }
            });
    FAULTS.put(
        "gives an order to everybody",
        sound ->
            new Faulty(sound.memory) {
              private List<TakenOver> last = List.of();

              @Override
              public List<TakenOver> takeOrders(
                  ClaimTerms terms, SequencedMap<RequesterId, Integer> most) {
                List<TakenOver> taken = new ArrayList<>(memory.takeOrders(terms, most));
                List<TakenOver> again = last;
                last = List.copyOf(taken);
                taken.addAll(again);
                return taken;
              }
            });
    FAULTS.put(
        "takes more than it may",
        sound ->
            new Faulty(sound.memory) {
              @Override
              public List<TakenOver> takeOrders(
                  ClaimTerms terms, SequencedMap<RequesterId, Integer> most) {
                most.replaceAll((requester, number) -> number + 1);
                return memory.takeOrders(terms, most);
              }
            });
    FAULTS.put(
        "takes only from the first requester",
        sound ->
            new Faulty(sound.memory) {
              @Override
              public List<TakenOver> takeOrders(
                  ClaimTerms terms, SequencedMap<RequesterId, Integer> most) {
                SequencedMap<RequesterId, Integer> first = new LinkedHashMap<>();
                most.forEach((r, n) -> first.putIfAbsent(most.firstEntry().getKey(), n));
                return memory.takeOrders(terms, first);
              }
            });
    FAULTS.put("says that it may be signed", sound -> touching(sound, false));
    FAULTS.put("says that it cannot have been signed", sound -> touching(sound, true));
    FAULTS.put(
        "counts what was taken",
        sound ->
            new Faulty(sound.memory) {
              @Override
              public BacklogDepths depths() {
                BacklogDepths real = memory.depths();
                SequencedMap<RequesterId, Long> more = new LinkedHashMap<>(real.byRequester());
                more.replaceAll((requester, n) -> n + real.taken());
                return new BacklogDepths(more, real.taken());
              }
            });
    FAULTS.put(
        "knows no position",
        sound ->
            new Faulty(sound.memory) {
              @Override
              public Optional<Long> before(SerialNumber serialNumber) {
                return memory.before(serialNumber).map(n -> 0L);
              }
            });
  }

  private static Faulty touching(Faulty sound, boolean says) {
    return new Faulty(sound.memory) {
      @Override
      public List<TakenOver> takeOrders(ClaimTerms terms, SequencedMap<RequesterId, Integer> most) {
        return memory.takeOrders(terms, most).stream().map(t -> says(t, says)).toList();
      }

      @Override
      public Optional<TakenOver> takeOver(SerialNumber serialNumber, ClaimTerms terms) {
        return memory.takeOver(serialNumber, terms).map(t -> says(t, says));
      }
    };
  }

  private static TakenOver says(TakenOver taken, boolean untouched) {
    return new TakenOver(
        taken.intent(), taken.recordedAt(), taken.takenAt(), taken.epoch(), untouched);
  }

  /** The contract as it is run against one backlog. */
  private static final class Contract extends OrderStoreContract {
    private final ManualTime time = new ManualTime(Fixtures.NOW);
    private final Faulty store;

    Contract(UnaryOperator<Faulty> fault) {
      store = fault.apply(new Faulty(new InMemoryLedgerStore(time, time)));
    }

    @Override
    protected LedgerStore store() {
      return store;
    }

    @Override
    protected OrderStore orders() {
      return store;
    }

    @Override
    protected Ticker ticker() {
      return time;
    }

    @Override
    protected void pass(Duration databaseTime) {
      time.pass(databaseTime);
    }
  }

  @Test
  void contract_soundBacklog_kept() throws Exception {
    assertThat(broken(sound -> sound)).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> contract_faultyBacklog_noticed() {
    return FAULTS.entrySet().stream()
        .map(
            fault ->
                DynamicTest.dynamicTest(
                    fault.getKey(), () -> assertThat(broken(fault.getValue())).isNotEmpty()));
  }

  /** Returns which tests of the contract fail on such a backlog. */
  private static List<String> broken(UnaryOperator<Faulty> fault) throws IllegalAccessException {
    List<String> broken = new ArrayList<>();
    List<Method> tests =
        Arrays.stream(OrderStoreContract.class.getDeclaredMethods())
            .filter(m -> m.isAnnotationPresent(Test.class))
            .toList();
    assertThat(tests).isNotEmpty();
    for (Method test : tests) {
      try {
        test.invoke(new Contract(fault));
      } catch (InvocationTargetException e) {
        broken.add(test.getName());
      }
    }
    return broken;
  }
}
