package org.sluiceca.api.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

class DecidedEntriesTest {

  private final Intents intents = new Intents(1);
  private final Map<SerialNumber, LedgerEntry> ledger = new HashMap<>();
  private final List<SerialNumber> read = new ArrayList<>();
  private final DecidedEntries entries =
      new DecidedEntries(
          serialNumber -> {
            read.add(serialNumber);
            return Objects.requireNonNull(ledger.get(serialNumber));
          });

  private SerialNumber put(Intent intent, Optional<Outcome> outcome) {
    ledger.put(intent.serialNumber(), new LedgerEntry(intent, Instant.EPOCH, outcome));
    return intent.serialNumber();
  }

  private static Optional<Outcome> issued() {
    return Optional.of(new Outcome.Issued(OctetString.copyOf(new byte[] {1})));
  }

  @Test
  void find_pending_isReadUntilItIsDecided() {
    Intent intent = intents.next();
    SerialNumber serialNumber = put(intent, Optional.empty());
    assertThat(entries.find(serialNumber).outcome()).isEmpty();

    put(intent, issued());
    LedgerEntry decided = entries.find(serialNumber);

    assertThat(decided.outcome()).isEqualTo(issued());
    assertThat(entries.find(serialNumber)).isSameAs(decided);
    assertThat(read).containsExactly(serialNumber, serialNumber);
  }

  @Test
  void find_more_forgetsTheOneThatWasNotAskedForLongest() {
    SerialNumber first = put(intents.next(), issued());
    SerialNumber second = put(intents.next(), issued());
    LedgerEntry kept = entries.find(first);
    LedgerEntry lost = entries.find(second);
    for (int i = 2; i < DecidedEntries.MAX; i++) {
      assertThat(entries.find(put(intents.next(), issued())).outcome()).isPresent();
    }
    assertThat(entries.find(first)).isSameAs(kept);
    read.clear();

    assertThat(entries.find(put(intents.next(), issued())).outcome()).isPresent();

    assertThat(entries.find(first)).isSameAs(kept);
    assertThat(read).hasSize(1);
    assertThat(entries.find(second)).isEqualTo(lost);
    assertThat(read).hasSize(2);
  }
}
