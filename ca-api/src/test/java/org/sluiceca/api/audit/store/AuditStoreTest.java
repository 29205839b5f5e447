package org.sluiceca.api.audit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.Invariant;
import org.sluiceca.core.x509.OctetString;

/** Rows come back as they were written, octet by octet, and are only ever added. */
@Execution(ExecutionMode.CONCURRENT)
class AuditStoreTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final Instant AT = Instant.parse("2026-05-04T10:00:00.123456Z");

  private final Address address = SERVER.freshDatabase();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private LedgerDatabase database;

  @SuppressWarnings("NullAway.Init")
  private AuditStore store;

  @BeforeEach
  void open() {
    database = new LedgerDatabase(address);
    PostgresForTests.awaitLogin(database);
    store = new AuditStore(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static List<AuditRow> chain(String name, int count) {
    List<AuditRow> rows = new ArrayList<>();
    ChainHead head = ChainHead.start(name);
    for (int i = 0; i < count; i++) {
      AuditRow row =
          head.next(new AuditEvent(AT.plusSeconds(i), "test", "a", "{\"é\\u0000\":" + i + "}"));
      rows.add(row);
      head = row.head();
    }
    return rows;
  }

  private List<AuditRow> read() {
    List<AuditRow> rows = new ArrayList<>();
    try (AuditReading reading = new AuditReading(database)) {
      reading.rows(rows::add);
    }
    return rows;
  }

  @Test
  void append_severalChains_readBackInOrderOfOctets() {
    List<AuditRow> lower = chain("a", 3);
    List<AuditRow> upper = chain("Z", 500);
    store.append(lower);
    store.append(upper);

    List<AuditRow> expected = new ArrayList<>(upper);
    expected.addAll(lower);
    assertThat(read()).isEqualTo(expected);
    assertThat(read()).allSatisfy(row -> assertThat(row.ownHash()).isEqualTo(row.hash()));
  }

  /** A commit whose answer was lost may or may not have taken place. */
  @Test
  void append_sameRowsAgain_once() {
    List<AuditRow> rows = chain("a", 3);
    store.append(rows.subList(0, 2));

    store.append(rows);

    assertThat(read()).isEqualTo(rows);
  }

  @Test
  void append_otherRowsInTheirPlace_broken() {
    store.append(chain("a", 1));
    AuditRow other = ChainHead.start("a").next(new AuditEvent(AT, "test", "another.actor", "{}"));

    assertThatExceptionOfType(Invariant.Broken.class)
        .isThrownBy(() -> store.append(List.of(other)));
  }

  @Test
  void append_otherRowInPlaceOfTheFirst_brokenAndNoneAdded() {
    AuditRow other = ChainHead.start("a").next(new AuditEvent(AT, "test", "another.actor", "{}"));
    store.append(List.of(other));

    assertThatExceptionOfType(Invariant.Broken.class).isThrownBy(() -> store.append(chain("a", 3)));
    assertThat(read()).containsExactly(other);
  }

  @Test
  void rowsFrom_time_onlyWhatIsAsYoung() {
    store.append(chain("a", 3));
    List<AuditRow> rows = new ArrayList<>();
    try (AuditReading reading = new AuditReading(database)) {
      reading.rowsFrom(AT.plusSeconds(1), rows::add);
    }

    assertThat(rows).extracting(AuditRow::sequence).containsExactly(2L, 3L);
  }

  @Test
  void tables_updateDeleteTruncate_refused() {
    store.append(chain("a", 1));
    for (String sql :
        List.of(
            "UPDATE audit_event SET actor = 'b'",
            "DELETE FROM audit_event",
            "TRUNCATE audit_event",
            "DELETE FROM audit_checkpoint",
            "UPDATE audit_signature SET number = 1")) {
      assertThatIllegalStateException()
          .as(sql)
          .isThrownBy(() -> SERVER.execute(address, sql))
          .withMessageContaining("only ever added");
    }
  }

  @Test
  void append_databaseGone_unavailable() {
    database.close();

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> store.append(chain("a", 1)));
  }

  @Test
  void key_registeredTwice_firstStands() {
    AuditKeyStore keys = new AuditKeyStore(database);
    AuditKeyStore.RegisteredKey first = key(1);

    assertThat(keys.find()).isEmpty();
    assertThat(keys.register(first)).isEqualTo(first);
    assertThat(keys.register(key(2))).isEqualTo(first);
    assertThat(keys.find()).contains(first);
  }

  private static AuditKeyStore.RegisteredKey key(int value) {
    OctetString octets = OctetString.copyOf(new byte[] {(byte) value});
    return new AuditKeyStore.RegisteredKey(octets, octets, "token");
  }
}
