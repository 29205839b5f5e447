import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

/** Prints the versions of the migrations that a database has had: its URL and a file with the password. */
final class Schema {

  private static final String VERSIONS =
      "SELECT version FROM flyway_schema_history WHERE success ORDER BY installed_rank";

  private Schema() {}

  public static void main(String[] arguments) throws Exception {
    String password = Files.readString(Path.of(arguments[1])).strip();
    try (Connection connection = DriverManager.getConnection(arguments[0], "sluice", password);
        Statement statement = connection.createStatement();
        ResultSet versions = statement.executeQuery(VERSIONS)) {
      while (versions.next()) {
        System.out.println(versions.getString(1));
      }
    }
  }
}
