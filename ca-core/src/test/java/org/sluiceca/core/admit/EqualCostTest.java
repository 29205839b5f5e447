package org.sluiceca.core.admit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.admit.AdmissionDecision.Limit;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.admit.Occupancy.LaneOccupancy;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.time.Deadline;

/**
 * Where all requests cost the same, it does not matter what that is: admission decides as if it
 * counted requests. The trace of a line through spells of herds, a hanging and a slow token and an
 * idle night is recorded, so that no decision changes unseen.
 */
class EqualCostTest {

  private static final long MILLISECOND = 1_000_000L;
  private static final int STEPS = 60_000;

  /**
   * Recorded when the first request of a requester was admitted beyond the bound of a lane. Until
   * then the trace was that of the last version that counted requests, 8349c34.
   */
  private static final Trace BEFORE =
      new Trace(1_272_101_747_639_034_545L, 49_090, 15_988, 30_486, 4_436);

  /**
   * What was decided.
   *
   * @param digest of every decision, Retry-After, limit, eta and capacity
   */
  private record Trace(long digest, long admitted, long saturated, long overShare, long late) {}

  private final List<LinePermit> line = new ArrayList<>();
  private final Map<AdmissionDecision.Cause, Long> causes =
      new EnumMap<>(AdmissionDecision.Cause.class);
  private long now = -40 * 1_000 * MILLISECOND;
  private double signerPerSecond;
  private long admitted;
  private long digest;

  @Test
  void decisions_allCostOne_asRecorded() {
    assertThat(trace(1)).isEqualTo(BEFORE);
  }

  /** By powers of two no digit is lost: what differs was counted in two units. */
  @ParameterizedTest
  @ValueSource(doubles = {2, 8, 64})
  void decisions_allCostMore_theSame(double cost) {
    assertThat(trace(cost)).isEqualTo(BEFORE);
  }

  private Trace trace(double cost) {
    SplittableRandom random = new SplittableRandom(20);
    Admission admission =
        new Admission(
            new Admission.Terms(160, Optional.empty()),
            Admission.Signer.ofOne(() -> true, () -> signerPerSecond),
            () -> now,
            new SplittableRandom(21));
    for (int step = 0; step < STEPS; step++) {
      int spell = step / 5_000;
      // The signer says nothing at first, then something, which later is wrong.
      signerPerSecond = spell == 0 ? 0 : 120;
      boolean isQuiet = spell % 4 == 3 && step % 5_000 < 100;
      now += random.nextLong(isQuiet ? 20_000 * MILLISECOND : 6 * MILLISECOND);
      int asks = spell % 3 == 1 ? 3 : 1;
      for (int i = 0; i < asks; i++) {
        ask(admission, cost, random);
      }
      // Hangs now and then, and is four times slower in some spells.
      boolean hangs = step % 2_000 < 250;
      int bound = spell % 4 == 2 ? 8 : 2;
      if (!hangs && !line.isEmpty() && random.nextInt(bound) == 0) {
        for (int i = 0; i <= step % 4 && !line.isEmpty(); i++) {
          LinePermit done = line.remove(random.nextInt(Math.min(4, line.size())));
          if (random.nextInt(20) == 0) {
            done.close();
          } else {
            done.completed();
          }
        }
      }
      if (step % 10 == 0) {
        look(admission);
      }
    }
    return new Trace(
        digest,
        admitted,
        causes.getOrDefault(AdmissionDecision.Cause.SATURATED, 0L),
        causes.getOrDefault(AdmissionDecision.Cause.OVER_SHARE, 0L),
        causes.getOrDefault(AdmissionDecision.Cause.DEADLINE_UNREACHABLE, 0L));
  }

  private void ask(Admission admission, double cost, SplittableRandom random) {
    // One asks as much as all others together.
    RequesterId who = new RequesterId("r" + Math.max(0, random.nextInt(12) - 6));
    int of = random.nextInt(100);
    Lane lane =
        of < 1 ? Lane.STATUS : of < 20 ? Lane.RENEWAL : of < 75 ? Lane.INTERACTIVE : Lane.BULK;
    long patience = random.nextInt(5) == 0 ? 300 : 10_000;
    switch (admission.admit(
        lane, who, SigningCost.of(cost), new Deadline(now + patience * MILLISECOND))) {
      case LinePermit place -> {
        admitted++;
        line.add(place);
        note(place.position().position());
        note(Math.round(1e6 * place.position().etaSeconds().orElse(-1)));
      }
      case Shed shed -> {
        long _ = causes.merge(shed.cause(), 1L, Long::sum);
        note(shed.cause().name().hashCode());
        note(shed.retryAfter().toSeconds());
        note(shed.limit().map(Limit::requests).orElse(-1));
        note(shed.limit().map(Limit::window).map(Duration::toSeconds).orElse(-1L));
      }
    }
  }

  private void look(Admission admission) {
    note(Math.round(1e3 * admission.occupancy().drainPerSecond()));
    for (LaneOccupancy lane : admission.occupancy().lanes()) {
      note(lane.depth());
      note(lane.capacity());
      note(Math.round(1e3 * lane.perSecond()));
      note(Math.round(1e6 * lane.etaSeconds()));
    }
  }

  private void note(long what) {
    digest = 31 * digest + what;
  }
}
