package org.sluiceca.api.ledger.find;

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
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.Validity;

/**
 * Finds certificates in the index, page by page. Thread-safe; blocks for a page's 1,000 look-ups at
 * most.
 */
public final class CertificateSearch {

  private final LedgerDatabase database;

  /** Searches a database that was migrated. */
  public CertificateSearch(LedgerDatabase database) {
    this.database = database;
  }

  /**
   * What was found.
   *
   * @param certificates in the order of the search: the newest first; where a name was asked for,
   *     names backwards, and of a name what expires last first. May be fewer than asked for, or
   *     none, and yet not the end
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
    try (Connection connection = database.finding().getConnection()) {
      // Both statements see one moment, or what is dropped in between could shift the last place.
      connection.setReadOnly(true);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      try (PreparedStatement statement = prepare(connection, plan.certificates(limit));
          ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(certificate(row));
          last = position(row);
        }
      }
      Optional<Position> next =
          found.size() == limit ? Optional.ofNullable(last) : lastPlace(connection, plan);
      connection.commit();
      return new Page(found, next);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the index of certificates cannot be read", e);
    }
  }

  private static Optional<Position> lastPlace(Connection connection, SearchPlan plan)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, plan.lastPlace());
        ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(position(row)) : Optional.empty();
    }
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
        row.getString("requester"),
        instant(row, "issued_at"),
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
