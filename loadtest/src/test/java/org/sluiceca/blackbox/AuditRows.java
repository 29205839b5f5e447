package org.sluiceca.blackbox;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Tampers with the audit trail of a trial as the owner of its tables could, and undoes it. */
final class AuditRows {

  private AuditRows() {}

  static void tamper(Trial trial, String table, String sql) {
    execute(
        trial,
        "CREATE TABLE kept AS TABLE " + table,
        "ALTER TABLE %s DISABLE TRIGGER USER".formatted(table),
        sql);
  }

  /** Rows that were written meanwhile stay. */
  static void restore(Trial trial, String table) {
    execute(
        trial,
        "DELETE FROM %s t USING kept k WHERE %s".formatted(table, same(table)),
        "INSERT INTO %s TABLE kept ON CONFLICT DO NOTHING".formatted(table),
        "DROP TABLE kept",
        "ALTER TABLE %s ENABLE TRIGGER USER".formatted(table));
  }

  private static String same(String table) {
    return table.equals("audit_event")
        ? "t.chain = k.chain AND t.sequence = k.sequence"
        : "t.number = k.number";
  }

  private static void execute(Trial trial, String... statements) {
    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + trial.read("postgres.port").strip() + "/sluice",
                "sluice",
                trial.read("secrets/database.password").strip());
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (String sql : statements) {
        statement.execute(sql);
      }
      connection.commit();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
