package org.sluiceca.load.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.soak.judge.ExpectedState;
import org.sluiceca.load.soak.judge.Findings;
import org.sluiceca.load.soak.judge.Lives;
import org.sluiceca.load.soak.judge.Rule;

/** What comes to an unforeseen end is counted, and a breach. */
class TrafficTest {

  private final HttpClient client = HttpClient.newHttpClient();
  private final Findings findings = new Findings();
  private final Traffic traffic =
      new Traffic(
          new Traffic.Access(client, 1, "requester", "officer"),
          List.of("this is no base64"),
          new ExpectedState(),
          new Lives(1, Instant.EPOCH),
          new Sample(new Random(1)),
          new Random(2),
          findings);

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void given_certificateThatNamesNoCrl_isBroken() {
    assertThat(traffic.given(new StandIn().certificate())).isNegative();

    assertThat(findings.breaches(Rule.UNREADABLE)).isEqualTo(1);
    assertThat(traffic.count(Traffic.End.REFUSED)).isEqualTo(1);
    assertThat(traffic.count(Traffic.End.ISSUED)).isZero();
  }

  @Test
  void given_noCertificate_isBroken() {
    assertThat(traffic.given(new byte[0])).isNegative();

    assertThat(findings.breaches(Rule.UNREADABLE)).isEqualTo(1);
    assertThat(traffic.count(Traffic.End.REFUSED)).isEqualTo(1);
  }

  @Test
  void live_endsUnthoughtOf_isBroken_eachTime() {
    traffic.live();
    traffic.live();

    assertThat(findings.breaches(Rule.UNREADABLE)).isEqualTo(2);
    assertThat(traffic.count(Traffic.End.REFUSED)).isEqualTo(2);
  }
}
