package org.sluiceca.core.crl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryRevocations;
import org.sluiceca.core.testkit.InMemoryRevocations.Fault;
import org.sluiceca.core.testkit.ManualTime;

/** The store in memory keeps the contract; a store that breaks it about deltas is noticed. */
class InMemoryCrlStoreTest extends CrlStoreContract {

  private static final int HISTORIES = 60;

  @Override
  protected Stores stores(List<LedgerEntry> entries) {
    return stores(Fault.NONE);
  }

  private static Stores stores(Fault fault) {
    InMemoryRevocations both = new InMemoryRevocations(new ManualTime(Fixtures.NOW), fault);
    return new Stores(both, both);
  }

  @Override
  protected int histories() {
    return HISTORIES;
  }

  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void history_plantedFault_found(Fault fault) {
    Consumer<LedgerEntry> nothing = entry -> {};

    assertThatThrownBy(
            () -> {
              for (int seed = 0; seed < HISTORIES; seed++) {
                new DeltaHistory(new Random(seed), stores(fault), nothing).play();
              }
            })
        .isInstanceOf(AssertionError.class);
  }
}
