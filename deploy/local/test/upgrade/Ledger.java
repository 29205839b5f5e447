import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Reads a database, or leaves an intent in it without outcome: its URL, a file with the password, and {@code indexes},
 * {@code outcome SERIAL} or {@code hold}.
 */
final class Ledger {

  private static final String INDEXES =
      """
      SELECT c.relname FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
      WHERE c.relname IN ('intent_recorded', 'intent_recorded_at') AND i.indisvalid ORDER BY 1
      """;

  private static final String OUTCOME =
      "SELECT kind || ' ' || (epoch > 0) FROM outcome WHERE serial = decode('%s', 'hex')";

  private static final String OPEN =
      """
      SELECT encode(i.serial, 'hex') FROM intent i
      WHERE NOT EXISTS (SELECT FROM outcome o WHERE o.expiry_week = i.expiry_week AND o.serial = i.serial)
      AND EXISTS (SELECT FROM pg_locks l WHERE l.relation = 'outcome'::regclass AND NOT l.granted)
      """;

  private static final String END_WAITING =
      """
      SELECT pg_terminate_backend(l.pid, 10000) FROM pg_locks l
      WHERE l.relation = 'outcome'::regclass AND NOT l.granted
      """;

  private Ledger() {}

  public static void main(String[] arguments) throws Exception {
    String password = Files.readString(Path.of(arguments[1])).strip();
    try (Connection connection = DriverManager.getConnection(arguments[0], "sluice", password);
        Statement statement = connection.createStatement()) {
      switch (arguments[2]) {
        case "indexes" -> print(statement, INDEXES);
        case "outcome" -> print(statement, OUTCOME.formatted(arguments[3]));
        case "hold" -> hold(connection, statement);
        default -> throw new IllegalArgumentException(arguments[2]);
      }
    }
  }

  /**
   * Keeps outcomes from being written. Each line that it reads asks for the serial number of an intent whose outcome waits;
   * one more line ends it. What waits then gets an error: a killed node's statement would be carried out after its end.
   */
  private static void hold(Connection connection, Statement statement) throws Exception {
    connection.setAutoCommit(false);
    statement.execute("LOCK TABLE outcome IN SHARE MODE");
    System.out.println("held");
    BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (questions.readLine() != null && !print(statement, OPEN)) {
      System.out.println("none");
    }
    questions.readLine();
    print(statement, END_WAITING);
    connection.rollback();
  }

  private static boolean print(Statement statement, String query) throws SQLException {
    boolean isAny = false;
    try (ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        System.out.println(rows.getString(1));
        isAny = true;
      }
    }
    return isAny;
  }
}
