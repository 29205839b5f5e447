package org.sluiceca.load.day.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a journal says, with sessions that were killed. */
class HistoryTest {

  private static final int SECOND = 1_000;

  @Test
  void blocks_doneInTwoSessions_countedOnce() {
    History history =
        new History(
            List.of(
                new Entry.Began(0, 0, 0),
                new Entry.Issued(1, 0, 2_000, 5, 0),
                new Entry.Issued(2, 2, 2_000, 6, 0),
                new Entry.Began(3, 1, 0),
                new Entry.Issued(4, 1, 2_000, 9, 1_500),
                new Entry.Issued(5, 2, 2_000, 6, 2_000)));

    assertThat(history.answered()).isEqualTo(6_000);
    assertThat(history.fingerprint()).isEqualTo(5 ^ 6 ^ 9);
    assertThat(history.replayed()).isEqualTo(1_500);
    assertThat(history.repeated()).isEqualTo(1);
    assertThat(history.isDone(new Block(1, 0, 1, "a"))).isTrue();
    assertThat(history.isDone(new Block(3, 0, 1, "a"))).isFalse();
    assertThat(history.nextSession()).isEqualTo(2);
  }

  @Test
  void sessions_killedAndEnded_toldWithTheirHours() {
    History history =
        new History(
            List.of(
                new Entry.Began(0, 0, 0),
                new Entry.Issued(100 * SECOND, 0, 2_000, 5, 0),
                new Entry.Paused(100 * SECOND, 0, 10),
                new Entry.Went(160 * SECOND, 0, 20),
                new Entry.Issued(200 * SECOND, 1, 2_000, 5, 0),
                new Entry.Began(1_000 * SECOND, 1, 30),
                new Entry.Issued(1_036 * SECOND, 2, 1_800, 5, 0),
                new Entry.Ended(1_036 * SECOND, 1)));

    List<History.Session> sessions = history.sessions();

    assertThat(sessions).hasSize(2);
    assertThat(sessions.get(0).hours()).isEqualTo(200 / 3600.0);
    assertThat(sessions.get(0).issuingHours()).isEqualTo(140 / 3600.0);
    assertThat(sessions.get(0).certificates()).isEqualTo(4_000);
    assertThat(sessions.get(0).hasEnded()).isFalse();
    assertThat(sessions.get(1).perSecond()).isEqualTo(50, within(1e-9));
    assertThat(sessions.get(1).hasEnded()).isTrue();
  }

  @Test
  void walOctets_fromTheMarkBefore_overAKill() {
    History history =
        new History(
            List.of(
                new Entry.Began(0, 0, 1_000),
                new Entry.Paused(1, 0, 21_000),
                new Entry.Went(2, 0, 50_000),
                new Entry.Began(3, 1, 60_000),
                new Entry.Paused(4, 1, 90_000),
                new Entry.Began(5, 2, 95_000),
                new Entry.Paused(6, 1, 99_000)));

    assertThat(history.walOctets(0, 10)).hasValue(2_000);
    assertThat(history.walOctets(1, 10)).hasValue(4_000);
    assertThat(history.walOctets(2, 10)).isEmpty();
  }
}
