package org.sluiceca.hsm.limit.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.hsm.limit.lease.InMemoryLeaseStore.Fault;
import org.sluiceca.hsm.limit.lease.InMemoryLeaseStore.Tables;

/** The store in memory keeps the contract, and the contract notices each store that does not. */
class InMemoryLeaseStoreTest extends LeaseStoreContract {

  private final Tables tables = new Tables();
  private Fault fault = Fault.NONE;

  @Override
  protected LeaseStore store(Duration clockSkew) {
    return new InMemoryLeaseStore(tables, fault, clockSkew);
  }

  @Override
  protected void pass(Duration time) {
    tables.pass(time);
  }

  /** Its time stands still. */
  @Override
  protected Duration slack() {
    return Duration.ofMillis(1);
  }

  @Override
  protected int rows(String hsm) {
    return new InMemoryLeaseStore(tables).rows(hsm);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void contract_faultyStore_noticed(Fault planted) throws IllegalAccessException {
    List<String> broken = new ArrayList<>();
    List<Method> tests =
        Arrays.stream(LeaseStoreContract.class.getDeclaredMethods())
            .filter(m -> m.isAnnotationPresent(Test.class))
            .toList();
    assertThat(tests).isNotEmpty();
    for (Method test : tests) {
      try {
        InMemoryLeaseStoreTest faulty = new InMemoryLeaseStoreTest();
        faulty.fault = planted;
        test.invoke(faulty);
      } catch (InvocationTargetException e) {
        broken.add(test.getName());
      }
    }

    assertThat(broken).isNotEmpty();
  }
}
