package org.sluiceca.api.platform.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * SQL off the issuance path, through Spring's {@link JdbcClient}: what the line, its look-ups and
 * OCSP ask for each request is written against JDBC itself. A failure of the database is a {@link
 * LedgerUnavailable}, and nothing else of it leaves a store. Thread-safe; every call blocks for as
 * long as its statements take.
 */
public final class LedgerSql {

  private final DataSource source;
  private final JdbcClient client;

  /** Speaks over a pool of the {@link LedgerDatabase}. */
  public LedgerSql(DataSource source) {
    this.source = source;
    this.client = JdbcClient.create(source);
  }

  /**
   * Runs {@code work}, each of whose statements is a transaction of its own. Over a pool without
   * auto-commit it may only read: what it writes is rolled back.
   *
   * @param failure says, in one line, what cannot be done when the database does not answer
   */
  public <T extends @Nullable Object> T run(String failure, Function<JdbcClient, T> work) {
    try {
      return work.apply(client);
    } catch (DataAccessException e) {
      throw unavailable(failure, e);
    }
  }

  /**
   * Runs {@code work} in one transaction on one connection, and commits. If it throws, nothing has
   * changed.
   *
   * @param failure as in {@link #run}
   */
  public <T extends @Nullable Object> T transaction(String failure, Function<JdbcClient, T> work) {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      T result = work.apply(on(connection));
      // The pool rolls back what is not committed.
      connection.commit();
      return result;
    } catch (SQLException e) {
      throw new LedgerUnavailable(failure, e);
    } catch (DataAccessException e) {
      throw unavailable(failure, e);
    }
  }

  /** Returns a client on a connection that the caller commits and closes. */
  private static JdbcClient on(Connection connection) {
    return JdbcClient.create(new SingleConnectionDataSource(connection, true));
  }

  private static LedgerUnavailable unavailable(String failure, DataAccessException e) {
    return new LedgerUnavailable(failure, e.getCause() instanceof SQLException sql ? sql : e);
  }
}
