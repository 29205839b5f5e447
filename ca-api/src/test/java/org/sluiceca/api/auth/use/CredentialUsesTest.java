package org.sluiceca.api.auth.use;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/** What is written of uses: each credential once an hour, and nothing without a bound. */
class CredentialUsesTest {

  private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");

  private static final UUID A = new UUID(0, 1);
  private static final UUID B = new UUID(0, 2);

  private final List<Map<UUID, Instant>> stored = new ArrayList<>();
  private boolean isAway;

  private final CredentialUses uses =
      new CredentialUses(
          batch -> {
            if (isAway) {
              throw new LedgerUnavailable("gone", new IllegalStateException());
            }
            stored.add(batch);
          });

  @Test
  void write_manyUsesWithinAnHour_oneRowOfTheHour() {
    for (int second = 0; second < 3600; second += 5) {
      uses.note(A, NOON.plusSeconds(second));
      uses.write();
    }

    assertThat(stored).containsExactly(Map.of(A, NOON));
  }

  @Test
  void write_nextHour_writtenAgain() {
    uses.note(A, NOON.plusSeconds(3599));
    uses.write();
    uses.note(A, NOON.plusSeconds(3600));
    uses.write();

    assertThat(stored).containsExactly(Map.of(A, NOON), Map.of(A, NOON.plusSeconds(3600)));
  }

  /** Threads that look up note in any order. */
  @Test
  void note_earlierHourLater_theLaterCounts() {
    uses.note(A, NOON.plusSeconds(3600));
    uses.note(A, NOON);
    uses.write();

    assertThat(stored).containsExactly(Map.of(A, NOON.plusSeconds(3600)));
  }

  @Test
  void write_databaseAway_keptForTheNextTime() {
    uses.note(A, NOON);
    isAway = true;
    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(uses::write);
    uses.note(B, NOON);
    isAway = false;

    uses.write();

    assertThat(stored).containsExactly(Map.of(A, NOON, B, NOON));
  }

  @Test
  void note_moreThanTheMost_boundedAndInBatches() {
    for (int i = 0; i < 2 * CredentialUses.WAITING_MAX; i++) {
      uses.note(new UUID(1, i), NOON);
    }
    uses.write();

    assertThat(stored.stream().mapToInt(Map::size).sum()).isEqualTo(CredentialUses.WAITING_MAX);
    assertThat(stored).allMatch(batch -> batch.size() <= 1_000);
  }

  @Test
  void write_moreThanItRemembers_goesOn() {
    int rounds = CredentialUses.WRITTEN_MAX / CredentialUses.WAITING_MAX + 1;
    for (int i = 0; i < rounds * CredentialUses.WAITING_MAX; i++) {
      uses.note(new UUID(1, i), NOON);
      if (i % CredentialUses.WAITING_MAX == CredentialUses.WAITING_MAX - 1) {
        uses.write();
      }
    }

    assertThat(stored.stream().mapToInt(Map::size).sum())
        .isEqualTo(rounds * CredentialUses.WAITING_MAX);
  }

  @Test
  void close_writesWhatWaits_andSurvivesADatabaseThatIsAway() {
    uses.start();
    uses.note(A, NOON);
    uses.close();
    assertThat(stored).containsExactly(Map.of(A, NOON));

    uses.note(B, NOON);
    isAway = true;
    uses.close();
  }
}
