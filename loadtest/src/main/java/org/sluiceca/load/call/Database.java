package org.sluiceca.load.call;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.sluiceca.load.cli.TrialException;

/** A database that is asked from outside; each call opens a connection. Thread-safe. */
public record Database(Source source) {

  private static final int ROWS_AT_A_TIME = 5_000;

  /** Where connections come from. */
  @FunctionalInterface
  public interface Source {

    /** Opens one; the caller closes it. */
    Connection open() throws SQLException;
  }

  /** What a row is read as. */
  @FunctionalInterface
  public interface Row<T> {

    /** Reads the row that the cursor is at. */
    T read(ResultSet row) throws SQLException;
  }

  /** Asks the database at a JDBC URL, with the password in a file. */
  public static Database at(String url, String user, Path passwordFile) throws IOException {
    String password = Files.readString(passwordFile).strip();
    return new Database(() -> DriverManager.getConnection(url, user, password));
  }

  /** Returns all rows of a query. */
  public <T> List<T> all(String sql, Row<T> row, Object... parameters) {
    List<T> rows = new ArrayList<>();
    each(rows::add, sql, row, parameters);
    return rows;
  }

  /** Hands all rows to {@code reader}, some thousands of them in memory at a time. */
  public <T> void each(Consumer<T> reader, String sql, Row<T> row, Object... parameters) {
    try (Connection connection = source.open();
        PreparedStatement statement = statement(connection, sql, parameters)) {
      // The driver reads by portions in a transaction alone.
      connection.setAutoCommit(false);
      statement.setFetchSize(ROWS_AT_A_TIME);
      try (ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          reader.accept(row.read(found));
        }
      }
    } catch (SQLException e) {
      throw failed(sql, e);
    }
  }

  /** Returns the first row of a query. */
  public <T> Optional<T> first(String sql, Row<T> row, Object... parameters) {
    return all(sql, row, parameters).stream().findFirst();
  }

  /** Returns the number in the first row of a query; 0 if there is none. */
  public long number(String sql, Object... parameters) {
    return first(sql, row -> row.getLong(1), parameters).orElse(0L);
  }

  /** Executes a statement, and returns how many rows it changed; 0 if it changes none. */
  public int execute(String sql, Object... parameters) {
    try (Connection connection = source.open();
        PreparedStatement statement = statement(connection, sql, parameters)) {
      return statement.execute() ? 0 : Math.max(0, statement.getUpdateCount());
    } catch (SQLException e) {
      throw failed(sql, e);
    }
  }

  private static PreparedStatement statement(
      Connection connection, String sql, Object... parameters) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }

  private static TrialException failed(String sql, SQLException cause) {
    return new TrialException("PostgreSQL refuses: " + sql.lines().findFirst().orElse(""), cause);
  }
}
