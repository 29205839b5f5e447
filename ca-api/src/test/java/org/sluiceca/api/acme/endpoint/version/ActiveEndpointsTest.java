package org.sluiceca.api.acme.endpoint.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.acme.endpoint.AcmeEndpoints;
import org.sluiceca.api.acme.endpoint.EndpointFiles;
import org.sluiceca.api.acme.endpoint.store.EndpointActivationStore;
import org.sluiceca.api.acme.endpoint.store.EndpointStore;
import org.sluiceca.api.platform.change.RestingLoop;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

/** What a node serves when one of the active files makes trouble; on a real PostgreSQL. */
class ActiveEndpointsTest {

  private static final RequesterId ALICE = new RequesterId("alice");

  private final LedgerDatabase database =
      new LedgerDatabase(PostgresForTests.get().freshDatabase());
  private final EndpointStore store = new EndpointStore(database);
  private final EndpointActivationStore activations = new EndpointActivationStore(database);
  private final AcmeEndpoints endpoints = new AcmeEndpoints(List.of());
  private final EndpointRules rules =
      new EndpointRules(EndpointFiles.none(), profile -> true, true);

  @BeforeEach
  void login() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void step_nothingIsActivated_restsUntilThatChanges() {
    try (ActiveEndpoints active = new ActiveEndpoints(rules, activations, endpoints)) {
      RestingLoop.check(
          Set.of(Topic.ENDPOINTS, Topic.PROFILES, Topic.ISSUERS),
          active::restUntilChanged,
          active::step,
          ActiveEndpoints.PAUSE);
    }
  }

  private void activate(String name) {
    EndpointName endpoint = new EndpointName(name);
    byte[] content =
        """
        name: %s
        protocol: acme
        version: 1
        profiles: [tls-server]
        external-account-binding: required
        """
            .formatted(name)
            .getBytes(StandardCharsets.UTF_8);
    assertThat(store.add(endpoint, 1, OctetString.copyOf(content), ALICE))
        .isEqualTo(EndpointStore.Added.ADDED);
    assertThat(activations.activate(endpoint, OptionalInt.of(1), 0, ALICE, Optional.empty()))
        .isPresent();
  }

  @Test
  void readerThrows_thatEndpointIsOutOfServiceWithAReason_othersServe() {
    activate("bad");
    activate("good");

    try (ActiveEndpoints active =
        new ActiveEndpoints(
            rules,
            activations,
            endpoints,
            content -> {
              if (new String(content, StandardCharsets.UTF_8).startsWith("name: bad")) {
                throw new IllegalStateException("secret");
              }
              return rules.read(content);
            })) {
      assertThat(active.endpoints().find("good")).isPresent();
      assertThat(endpoints.find("bad")).isEmpty();
      assertThat(active.standing().refused())
          .containsOnlyKeys("bad")
          .hasEntrySatisfying(
              "bad",
              said -> assertThat(said).contains("IllegalStateException").doesNotContain("secret"));
    }
  }
}
