package org.sluiceca.load.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.plan.Client.WhenRefused;
import org.sluiceca.load.plan.Offer.Kind;
import org.sluiceca.load.plan.PlanFile;
import org.sluiceca.load.scenario.wire.Population;
import org.sluiceca.load.scenario.wire.Wave;

class TimelineTest {

  private static Timeline timeline(String text) throws IOException {
    return new Timeline(PlanFile.parse("test", new StringReader(text)));
  }

  private static Population of(List<Population> all, Kind kind, String requester) {
    return all.stream()
        .filter(one -> one.kind() == kind && one.requester().equals(requester))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void phases_followOneAnotherWithoutAGap() throws IOException {
    Timeline timeline =
        timeline(
            """
            hsm.rate = 20
            warm-up.seconds = 6
            warm-up.offer = w 0.5
            settle = 2
            seconds = 10
            phases = p q
            phase.p.offer = a 0.5, b 1
            phase.q.offer = a 2
            gatling.operations = ocsp 0.5
            gatling.when-refused = obey
            """);
    List<Population> all = timeline.populations();

    assertThat(timeline.seconds()).isEqualTo(30);
    assertThat(timeline.slots().get(2).fromSeconds()).isEqualTo(20);
    assertThat(of(all, Kind.ENROLL, "w").waves()).containsExactly(new Wave(0, 0, 6, 60, 126));
    assertThat(of(all, Kind.ENROLL, "a").waves())
        .containsExactly(new Wave(1, 6, 12, 120, 138), new Wave(2, 18, 12, 480, 150));
    assertThat(of(all, Kind.ENROLL, "b").whenRefused()).isEqualTo(WhenRefused.OBEY);
    // Nothing is asked about before something is issued, and no client asks twice.
    assertThat(of(all, Kind.OCSP, "a").waves()).extracting(Wave::phase).containsExactly(1, 2);
    assertThat(of(all, Kind.OCSP, "a").whenRefused()).isEqualTo(WhenRefused.LEAVE);
    assertThat(Timeline.planned(all, 1)).isEqualTo(360);
  }

  @Test
  void crowd_comesWithinASecondAndObeys() throws IOException {
    Timeline timeline =
        timeline(
            """
            hsm.rate = 20
            warm-up.seconds = 50
            warm-up.offer = crowd 0.8
            phases = herd
            phase.herd.crowd = 30
            phase.herd.seconds = 300
            gatling.crowd = renew
            """);

    Population crowd = of(timeline.populations(), Kind.RENEW, "crowd");

    assertThat(crowd.waves()).containsExactly(new Wave(1, 50, 1, 600, 350));
    assertThat(crowd.whenRefused()).isEqualTo(WhenRefused.OBEY);
    assertThat(timeline.slots().getLast().fromSeconds()).isEqualTo(50);
  }
}
