package org.sluiceca.api.issuance.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.Await;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.time.Deadline;

/** The database crashes under load: nothing acknowledged is lost, and the store comes back. */
class LedgerCrashTest {

  private static final PostgresForTests SERVER = PostgresForTests.toCrash();
  private static final ClaimTerms TERMS =
      new ClaimTerms(new NodeId("node"), Duration.ofSeconds(15));
  private static final int CLIENTS = 32;
  private static final int CRASHES = 3;
  private static final int ACKNOWLEDGED_BETWEEN_CRASHES = 300;

  private final Intents intents = new Intents(2_000_003);
  private final Map<Intent, Outcome> acknowledged = new ConcurrentHashMap<>();
  private final AtomicInteger refused = new AtomicInteger();

  @Test
  void crashUnderLoad_everythingAcknowledgedIsThereAndTheStoreWorksAgain() throws Exception {
    Address address = SERVER.freshDatabase();
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      database.migrate();
      SERVER.checkpoint();
      try (PostgresLedgerStore store =
          new PostgresLedgerStore(
              database, TERMS.lifetime(), (size, nanos) -> {}, System::nanoTime)) {

        load(store, address);

        assertThat(acknowledged).hasSizeGreaterThan(CRASHES * ACKNOWLEDGED_BETWEEN_CRASHES);
        acknowledged.forEach(
            (intent, outcome) -> {
              LedgerEntry entry = read(store, intent);
              assertThat(entry.intent()).isEqualTo(intent);
              assertThat(entry.outcome()).contains(outcome);
            });
        System.out.printf(
            Locale.ROOT,
            "crash under load: %d acknowledged, %d refused%n",
            acknowledged.size(),
            refused.get());
      }
    }
  }

  /** A connection of before the crash fails once, and is replaced. */
  private static LedgerEntry read(PostgresLedgerStore store, Intent intent) {
    AtomicReference<LedgerEntry> read = new AtomicReference<>();
    Await.until(
        "the ledger is read",
        () -> {
          try {
            read.set(store.find(intent.serialNumber()).orElseThrow());
            return true;
          } catch (LedgerUnavailable e) {
            return false;
          }
        });
    return read.get();
  }

  private void load(PostgresLedgerStore store, Address address) throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    List<Future<?>> clients = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(
            executor.submit(
                () -> {
                  while (!enough.get()) {
                    issue(store);
                  }
                }));
      }
      try {
        for (int crash = 0; crash < CRASHES; crash++) {
          awaitAcknowledged(ACKNOWLEDGED_BETWEEN_CRASHES);
          SERVER.crash(address);
        }
        awaitAcknowledged(ACKNOWLEDGED_BETWEEN_CRASHES);
      } finally {
        enough.set(true);
      }
    }
    for (Future<?> client : clients) {
      client.get();
    }
  }

  private void awaitAcknowledged(int more) {
    int goal = acknowledged.size() + more;
    Await.until("the store works", () -> acknowledged.size() >= goal);
  }

  private void issue(PostgresLedgerStore store) {
    Intent intent = intents.next();
    Outcome outcome = new Outcome.Issued(Intents.signature(intent.hashCode()));
    try {
      IntentAnswer recorded = store.recordIntent(intent, TERMS, soon());
      assertThat(recorded).isEqualTo(new IntentAnswer.Recorded());
      OutcomeAnswer decided =
          store.recordOutcome(
              intent.serialNumber(), outcome, new Claim(TERMS.owner(), 0, soon()), soon());
      assertThat(decided).isEqualTo(new OutcomeAnswer.Recorded());
      acknowledged.put(intent, outcome);
    } catch (LedgerUnavailable e) {
      refused.incrementAndGet();
    }
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(5), System::nanoTime);
  }
}
