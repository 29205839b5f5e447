package org.sluiceca.api.issuer.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.IssuerStore.NewIssuer;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/** What a node knows of the issuers, on PostgreSQL. */
class IssuerRegistryTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final IssuerName ONE = new IssuerName("one");
  private static final IssuerName TWO = new IssuerName("two");

  private final LedgerDatabase.Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final IssuerStore store = new IssuerStore(database);
  private final IssuerRegistry registry = new IssuerRegistry(store);

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
    store.insert(issuer(ONE));
    store.insert(issuer(TWO));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void retired_oneMore_seenAtTheNextLook() {
    assertThat(registry.retired()).isEmpty();

    assertThat(store.retire(ONE)).isTrue();

    assertThat(registry.retired()).containsExactly(ONE);
    assertThat(registry.rows()).hasSize(2);
  }

  /** Two rows, one of them retired, before and after: numbers would say that nothing changed. */
  @Test
  void retired_oneTakenBackByHandAndAnotherRetired_seen() {
    assertThat(store.retire(ONE)).isTrue();
    assertThat(registry.retired()).containsExactly(ONE);

    SERVER.execute(address, "UPDATE issuer SET state = 'active' WHERE name = 'one'");
    assertThat(store.retire(TWO)).isTrue();

    assertThat(registry.retired()).containsExactly(TWO);
  }

  @Test
  void look_renewed_theNewestCertificateAndTheFirst() {
    registry.look();
    RegisteredIssuer present = registry.find(ONE).orElseThrow();
    CertificateDer newest = CertificateDer.of(new byte[] {0x30, 0x01, 0x05});

    assertThat(store.renew(present, List.of(newest), "alice")).isTrue();
    registry.look();

    RegisteredIssuer renewed = registry.find(ONE).orElseThrow();
    assertThat(renewed.certificate()).isEqualTo(newest);
    assertThat(renewed.origin().first()).isEqualTo(present.certificate());
  }

  private static NewIssuer issuer(IssuerName name) {
    return new NewIssuer(
        name,
        OctetString.copyOf(name.value().getBytes(StandardCharsets.US_ASCII)),
        CertificateDer.of(new byte[] {0x30, 0x00}),
        List.of(CertificateDer.of(new byte[] {0x30, 0x01, 0x00})),
        new RegisteredIssuer.Key(OctetString.copyOf(new byte[] {1, 2}), "ec-p256", "issuing"));
  }
}
