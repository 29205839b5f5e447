package org.sluiceca.api.audit.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.sluiceca.api.audit.store.AuditPages;
import org.sluiceca.api.audit.store.AuditStore;
import org.sluiceca.api.audit.store.PostgresCheckpointStore;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.Checkpoint;
import org.sluiceca.core.audit.ExportForm;
import org.sluiceca.core.request.RequesterId;

/** Pages of a trail in a real database are together the whole trail, in order, within bounds. */
@Execution(ExecutionMode.CONCURRENT)
class AuditExportsTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final Instant AT = Instant.parse("2026-05-04T10:00:00.123456Z");
  private static final RequesterId ALICE = new RequesterId("alice");
  private static final RequesterId BOB = new RequesterId("bob");

  /** More than a page looks at. */
  private static final int MANY = 4_500;

  private final Address address = SERVER.freshDatabase();
  private final List<AuditRow> written = new ArrayList<>();
  private final List<ExportForm.Stored> checkpoints = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private LedgerDatabase database;

  @SuppressWarnings("NullAway.Init")
  private AuditExports exports;

  @BeforeEach
  void open() {
    database = new LedgerDatabase(address);
    PostgresForTests.awaitLogin(database);
    exports = new AuditExports(new AuditPages(database), Duration.ofSeconds(60));
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void chain(String name, int count, String kind, String content) {
    List<AuditRow> rows = new ArrayList<>();
    ChainHead head = ChainHead.start(name);
    for (int i = 0; i < count; i++) {
      AuditRow row = head.next(new AuditEvent(AT.plusSeconds(i), kind, "a", content));
      rows.add(row);
      head = row.head();
    }
    new AuditStore(database).append(rows);
    written.addAll(rows);
    written.sort(Comparator.comparing(AuditRow::chain).thenComparingLong(AuditRow::sequence));
  }

  private void checkpoint(boolean isSigned) {
    Checkpoint next =
        new Checkpoint(
            checkpoints.size() + 1L,
            checkpoints.isEmpty()
                ? ChainHead.nothing()
                : Checkpoint.hash(checkpoints.getLast().encoded()),
            AT,
            List.of(written.getLast().head()));
    PostgresCheckpointStore store = new PostgresCheckpointStore(database);
    assertThat(store.record(next)).isTrue();
    if (isSigned) {
      store.recordSignature(next.number(), ChainHead.nothing());
    }
    checkpoints.add(
        new ExportForm.Stored(
            next.number(),
            next.encoded(),
            isSigned ? Optional.of(ChainHead.nothing()) : Optional.empty()));
  }

  private AuditExports.Page page(Map<String, String> parameters) {
    Map<String, List<String>> all = new TreeMap<>();
    parameters.forEach((name, value) -> all.put(name, List.of(value)));
    return exports.page(ALICE, ExportQuery.of(all));
  }

  /** The pages of an export, each from the place that the one before named. */
  private List<AuditExports.Page> pages(Map<String, String> filter) {
    Map<String, String> parameters = new TreeMap<>(filter);
    List<AuditExports.Page> pages = new ArrayList<>(List.of(page(parameters)));
    while (pages.getLast().next().isPresent()) {
      parameters.put("after", pages.getLast().next().get().text());
      pages.add(page(parameters));
    }
    return pages;
  }

  private List<AuditRow> rows(Map<String, String> filter) {
    return pages(filter).stream().flatMap(page -> page.rows().stream()).toList();
  }

  private List<AuditRow> whole() {
    List<AuditRow> whole = new ArrayList<>();
    checkpoints.forEach(c -> whole.add(ExportForm.row(c)));
    whole.addAll(written);
    return whole;
  }

  @Test
  void pages_ofAnEmptyTrail_endAtOnce() {
    assertThat(pages(Map.of())).hasSize(2).allMatch(page -> page.rows().isEmpty());
  }

  @Test
  void pages_severalChains_areTheWholeTrailInItsOrder() {
    chain("node-1.b", 3, "test", "{}");
    chain("node-0.a", MANY, "test", "{\"é\":1}");
    checkpoint(true);
    checkpoint(false);

    assertThat(rows(Map.of())).isEqualTo(whole());
  }

  /** Also a chain whose name a URL would take for something else. */
  @Test
  void pages_fromEachLine_goOnAfterIt() {
    chain("a&kind=x#%2F+*", 3, "test", "{}");
    chain("b", 2, "test", "{}");
    checkpoint(true);
    List<AuditRow> whole = whole();

    for (int i = 0; i < whole.size(); i++) {
      AuditRow last = whole.get(i);
      ExportPlace place =
          ExportForm.isCheckpoint(last)
              ? new ExportPlace.Checkpoint(last.sequence())
              : new ExportPlace.Row(last.chain(), last.sequence());
      assertThat(place.escaped()).matches("[A-Za-z0-9_%.-]+");
      assertThat(rows(Map.of("after", place.text()))).isEqualTo(whole.subList(i + 1, whole.size()));
    }
  }

  @Test
  void page_ofLongRows_isBoundedInOctets() {
    String content = "{\"a\":\"" + "x".repeat(60_000) + "\"}";
    chain("node-0.a", 50, "test", content);

    List<AuditExports.Page> pages = pages(Map.of());

    assertThat(pages).hasSizeGreaterThan(3);
    assertThat(pages)
        .allSatisfy(
            page ->
                assertThat(page.rows().stream().mapToLong(r -> r.content().length()).sum())
                    .isLessThan((1 << 20) + 2L * content.length()));
    assertThat(rows(Map.of())).isEqualTo(whole());
  }

  @Test
  void pages_filtered_haveWhatIsWantedAlone() {
    chain("node-0.a", MANY, "login.failed", "{}");
    chain("node-1.b", 2, "node.started", "{}");
    checkpoint(true);

    assertThat(rows(Map.of("kind", "node.started"))).isEqualTo(written.subList(MANY, MANY + 2));
    assertThat(rows(Map.of("kind", "node.started,audit.checkpoint"))).hasSize(3);
    assertThat(rows(Map.of("kind", "node.stopped"))).isEmpty();
    assertThat(rows(Map.of("from", AT.plusSeconds(MANY - 1).toString())))
        .containsExactly(ExportForm.row(checkpoints.getFirst()), written.get(MANY - 1));
    assertThat(rows(Map.of("before", AT.plusSeconds(1).toString())))
        .containsExactly(
            ExportForm.row(checkpoints.getFirst()), written.getFirst(), written.get(MANY));
  }

  @Test
  void query_ofWhatIsNone_refused() {
    for (Map<String, List<String>> bad :
        List.of(
            Map.of("limit", List.of("5")),
            Map.of("after", List.of("r1.a", "r1.b")),
            Map.of("after", List.of("17")),
            Map.of("after", List.of("r1")),
            Map.of("after", List.of("r1.ä")),
            Map.of("after", List.of("c9999999999999999999")),
            Map.of("from", List.of("yesterday")),
            Map.of("before", List.of("+999999999-01-01T00:00:00Z")),
            Map.of("kind", List.of("")),
            Map.of("kind", List.of("login.failed,login.failed")),
            Map.of("kind", List.of("no.such")))) {
      assertThatExceptionOfType(ProblemException.class)
          .as("%s", bad)
          .isThrownBy(() -> ExportQuery.of(bad))
          .matches(e -> e.type() == ProblemType.MALFORMED_REQUEST);
    }
  }

  @Test
  void take_moreThanItsShare_refusedAndOthersServed() {
    exports.take(ALICE);
    exports.take(ALICE);

    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> exports.take(ALICE))
        .matches(e -> e.type() == ProblemType.SATURATED);
    exports.take(BOB);
    exports.giveBack(ALICE);
    exports.giveBack(ALICE);
    exports.take(ALICE);
    assertThat(exports.taken()).isEqualTo(2);
  }

  @Test
  void line_contentThatIsNoObject_isATextThatReadsBack() {
    for (String content : List.of("\"a\"", "7", "[1]", "null", "{\"a\":1.0 }", "x")) {
      AuditRow row = ChainHead.start("a").next(new AuditEvent(AT, "test", "a", content));
      assertThat(ExportLine.of(row)).contains("\"content\":\"");
    }
    AuditRow row = ChainHead.start("a").next(new AuditEvent(AT, "test", "a", "{\"a\":1}"));
    assertThat(ExportLine.of(row)).contains("\"content\":{\"a\":1},");
  }
}
