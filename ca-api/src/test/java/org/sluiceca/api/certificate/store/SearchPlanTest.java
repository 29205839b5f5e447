package org.sluiceca.api.certificate.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.api.certificate.store.SearchFilter.Span;
import org.sluiceca.api.certificate.store.SearchFilter.Status;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;

/** What PostgreSQL makes of a search when its statistics are older than what is searched. */
class SearchPlanTest {

  private static final FindDatabase DATABASE = new FindDatabase();

  private static final String FILL =
      """
      INSERT INTO certificate_index (expiry_week, serial, issued_at, requester, profile, issuer,
        not_before, not_after, subject, subject_names, sans)
      SELECT 3000, '\\x010bb8'::bytea || decode(repeat('00', 12), 'hex') || int4send(n),
        timestamptz '2026-01-01Z' + n * interval '1 second', '%s', '%s', 'issuing',
        timestamptz '2026-01-01Z', timestamptz '2027-07-03Z', '', '{}', ARRAY['web' || n]
      FROM generate_series(%d, %d) AS n
      """;

  @BeforeAll
  static void fill() {
    DATABASE.execute(
        "SELECT ensure_expiry_weeks(ARRAY[3000])",
        "ALTER TABLE certificate_index_w3000 SET (autovacuum_enabled = off)",
        String.format(Locale.ROOT, FILL, "carol", "device", 1, 20_000),
        "VACUUM ANALYZE certificate_index",
        String.format(Locale.ROOT, FILL, "bob", "tls-server", 20_001, 25_000));
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  static List<SearchFilter> filters() {
    List<SearchFilter> all = new ArrayList<>();
    List<Optional<Status>> statuses = new ArrayList<>(List.of(Optional.empty()));
    for (Status status : Status.values()) {
      statuses.add(Optional.of(status));
    }
    for (Optional<Status> status : statuses) {
      all.add(filter(Optional.of(new RequesterId("bob")), Optional.empty(), status));
      all.add(filter(Optional.empty(), Optional.of(new ProfileName("tls-server")), status));
      all.add(
          filter(
              Optional.of(new RequesterId("bob")),
              Optional.of(new ProfileName("tls-server")),
              status));
    }
    return all;
  }

  private static SearchFilter filter(
      Optional<RequesterId> requester, Optional<ProfileName> profile, Optional<Status> status) {
    return new SearchFilter(
        requester,
        Optional.empty(),
        Optional.empty(),
        profile,
        Optional.empty(),
        status,
        Span.OPEN,
        Span.OPEN);
  }

  /**
   * Of a requester that the statistics do not know one row is expected, so that its own index is as
   * cheap as the primary key to find one certificate; and each look would read all that it has.
   */
  @ParameterizedTest
  @MethodSource("filters")
  void candidates_newerThanStatistics_eachIsLookedUpByPrimaryKey(SearchFilter filter)
      throws SQLException {
    List<String> looks =
        explained(new SearchPlan(filter, Optional.empty(), Sample.NOW).candidates()).stream()
            .filter(line -> line.contains("Index Cond") && line.contains("serial ="))
            .toList();

    assertThat(looks)
        .isNotEmpty()
        .allSatisfy(look -> assertThat(look).doesNotContain("requester").doesNotContain("profile"));
  }

  private static List<String> explained(SearchPlan.Query query) throws SQLException {
    try (Connection connection = DATABASE.database().finding().getConnection();
        PreparedStatement statement = connection.prepareStatement("EXPLAIN " + query.sql())) {
      for (int i = 0; i < query.parameters().size(); i++) {
        statement.setObject(i + 1, query.parameters().get(i));
      }
      List<String> lines = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          lines.add(row.getString(1));
        }
      }
      connection.rollback();
      return lines;
    }
  }
}
