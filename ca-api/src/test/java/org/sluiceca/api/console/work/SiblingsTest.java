package org.sluiceca.api.console.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.SerialNumber;

/** How many look for certificates with the same key at once. */
class SiblingsTest {

  private static final Intent CERTIFICATE =
      new Revocable(1).silent(Instant.parse("2027-01-01T00:00:00Z")).intent();

  private final List<Optional<List<String>>> meanwhile = new ArrayList<>();
  private final List<RequesterId> others = new ArrayList<>();
  private boolean isAway;
  private final Siblings siblings = new Siblings(this::look);

  /** While one looks, the next one of the list looks. */
  private List<SerialNumber> look(Intent certificate) {
    if (isAway) {
      throw new LedgerUnavailable("away", new IOException());
    }
    if (!others.isEmpty()) {
      meanwhile.add(siblings.of(others.removeFirst(), certificate));
    }
    return List.of(certificate.serialNumber());
  }

  private Optional<List<String>> look(String... requesters) {
    for (String requester : requesters) {
      others.add(new RequesterId(requester));
    }
    return siblings.of(others.removeFirst(), CERTIFICATE);
  }

  @Test
  void of_aRequesterThatLooksAlready_empty() {
    assertThat(look("alice", "alice")).isPresent();
    assertThat(meanwhile).containsExactly(Optional.empty());
    assertThat(look("alice")).isPresent();
  }

  @Test
  void of_aThirdAtOnce_empty() {
    assertThat(look("alice", "bob", "carol")).isPresent();
    assertThat(meanwhile.getFirst()).isEmpty();
    assertThat(meanwhile.getLast()).isPresent();
    assertThat(look("carol")).isPresent();
  }

  @Test
  void of_ledgerAway_emptyAndThePlaceIsFree() {
    isAway = true;
    assertThat(look("alice")).isEmpty();
    isAway = false;
    assertThat(look("alice")).contains(List.of(CERTIFICATE.serialNumber().hex()));
  }
}
