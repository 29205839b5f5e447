package org.sluiceca.api.acme.signed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.share.FairSlots;
import org.sluiceca.core.registration.EndpointName;

/** Whose turn a signed request uses. */
class SenderTest {

  private static final EndpointName ONE = new EndpointName("one");
  private static final EndpointName TWO = new EndpointName("two");
  private static final Optional<String> NETWORK = Optional.of("192.0.2.0/24");

  /** A network had a share at each endpoint: with endpoints enough, all places. */
  @Test
  void places_ofOneNetwork_theSameAtEveryEndpoint() throws InterruptedException {
    FairSlots<Sender> turns = new FairSlots<>(4, 4);

    assertThat(turns.begin(Sender.of(ONE, NETWORK), Duration.ZERO)).isTrue();
    assertThat(turns.begin(Sender.of(TWO, NETWORK), Duration.ZERO)).isTrue();

    assertThat(turns.begin(Sender.of(TWO, NETWORK), Duration.ZERO)).isFalse();
    assertThat(turns.begin(Sender.of(ONE, Optional.of("198.51.100.0/24")), Duration.ZERO)).isTrue();
    turns.end(Sender.of(TWO, NETWORK));
    assertThat(turns.begin(Sender.of(ONE, NETWORK), Duration.ZERO)).isTrue();
  }

  /** Behind a proxy are many networks: its requests at one endpoint leave room at others. */
  @Test
  void places_ofProxies_apartByEndpoint() {
    assertThat(Sender.of(ONE, Optional.empty())).isNotEqualTo(Sender.of(TWO, Optional.empty()));
    assertThat(Sender.of(ONE, Optional.empty()).network()).isEmpty();
    assertThat(Sender.of(ONE, NETWORK).network()).isEqualTo(NETWORK);
  }
}
