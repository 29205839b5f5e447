package org.sluiceca.core.intent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.time.Ticker;

/** The contract notices every store that breaks one of its promises. */
class LedgerStoreMutantsTest {

  /** The contract as it is run against one store. */
  private static final class Contract extends LedgerStoreContract {
    private final ManualTime time = new ManualTime(Fixtures.NOW);
    private final LedgerStore store;

    Contract(FaultyStores.Fault fault) {
      store = fault.apply(new InMemoryLedgerStore(time, time), time);
    }

    @Override
    protected LedgerStore store() {
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
  void contract_soundStore_kept() throws Exception {
    assertThat(broken((store, time) -> store)).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> contract_faultyStore_noticed() {
    return FaultyStores.all().entrySet().stream()
        .map(
            fault ->
                DynamicTest.dynamicTest(
                    fault.getKey(), () -> assertThat(broken(fault.getValue())).isNotEmpty()));
  }

  /** Returns which tests of the contract fail on such a store. */
  private static List<String> broken(FaultyStores.Fault fault) throws IllegalAccessException {
    List<String> broken = new ArrayList<>();
    List<Method> tests =
        Arrays.stream(LedgerStoreContract.class.getDeclaredMethods())
            .filter(m -> m.isAnnotationPresent(Test.class))
            .sorted(Comparator.comparing(Method::getName))
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
