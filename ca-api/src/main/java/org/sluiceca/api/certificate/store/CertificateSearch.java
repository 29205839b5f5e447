package org.sluiceca.api.certificate.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.Validity;

/**
 * Finds certificates in the index, page by page. Thread-safe; blocks for a page's 500 look-ups at
 * most.
 */
public final class CertificateSearch {

  /**
   * Rows of one round trip, at least, where the first has not filled the page: those that are not
   * looked for are some 50 octets each.
   */
  private static final int FETCHED_MIN = 100;

  private final LedgerDatabase database;

  /** Searches a database that was migrated. */
  public CertificateSearch(LedgerDatabase database) {
    this.database = database;
  }

  /**
   * A page of the certificates found.
   *
   * @param certificates in the order of the search: the newest first; where a name was asked for,
   *     names backwards, and of a name the certificate that expires last first. May be fewer than
   *     asked for, or none, and yet not the end
   * @param next where the next page begins; empty at the end
   */
  public record Page(List<FoundCertificate> certificates, Optional<Position> next) {

    public Page {
      certificates = List.copyOf(certificates);
    }
  }

  /**
   * Returns the page after {@code after}. Each certificate that was in the index at the first page
   * is on one page, and on one only, whatever is added meanwhile. Whether it is revoked is asked of
   * the ledger itself, as of this moment.
   *
   * @param after a position that an earlier page of the same filter gave
   * @param limit how many certificates, at least 1
   * @param now what is not after this has expired
   * @throws LedgerUnavailable if the database does not answer
   */
  public Page page(SearchFilter filter, Optional<Position> after, int limit, Instant now) {
    SearchPlan plan = new SearchPlan(filter, after, now);
    List<FoundCertificate> found = new ArrayList<>();
    Position last = null;
    int looked = 0;
    try (Connection connection = database.finding().getConnection()) {
      connection.setReadOnly(true);
      try (PreparedStatement statement = prepare(connection, plan.candidates())) {
        statement.setFetchSize(limit);
        try (ResultSet row = statement.executeQuery()) {
          // Of the round trips after the first.
          row.setFetchSize(Math.max(limit, FETCHED_MIN));
          while (found.size() < limit && row.next()) {
            looked++;
            last = position(row);
            if (row.getString("profile") != null) {
              found.add(certificate(row));
            }
          }
        }
      }
      connection.commit();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the index of certificates cannot be read", e);
    }
    boolean isEnd = found.size() < limit && looked < SearchPlan.CANDIDATES_MAX;
    return new Page(found, isEnd ? Optional.empty() : Optional.ofNullable(last));
  }

  private static PreparedStatement prepare(Connection connection, SearchPlan.Query query)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(query.sql());
    for (int i = 0; i < query.parameters().size(); i++) {
      statement.setObject(i + 1, query.parameters().get(i));
    }
    return statement;
  }

  private static Position position(ResultSet row) throws SQLException {
    return new Position(
        row.getString("name"),
        row.getString("place_requester"),
        instant(row, "place_issued_at"),
        OctetString.copyOf(row.getBytes("serial")));
  }

  private static FoundCertificate certificate(ResultSet row) throws SQLException {
    @Nullable Integer reason = row.getObject("reason", Integer.class);
    return new FoundCertificate(
        SerialNumber.of(row.getBytes("serial")),
        new FoundCertificate.Origin(
            new RequesterId(row.getString("requester")),
            new ProfileName(row.getString("profile")),
            new IssuerName(row.getString("issuer"))),
        instant(row, "issued_at"),
        new Validity(instant(row, "not_before"), instant(row, "not_after")),
        row.getString("subject"),
        texts(row.getArray("sans")),
        reason == null
            ? Optional.empty()
            : Optional.of(
                new FoundCertificate.Revoked(reason(reason), instant(row, "revoked_at"))));
  }

  private static RevocationReason reason(int code) throws SQLException {
    return RevocationReason.ofCode(code)
        .orElseThrow(() -> new SQLException("revocation for an unknown reason " + code));
  }

  private static List<String> texts(Array array) throws SQLException {
    return List.of((String[]) array.getArray());
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
