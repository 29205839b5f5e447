package org.sluiceca.load.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.sluiceca.load.call.Database;

/**
 * Asks a CA's PostgreSQL what it holds, independently of what the CA reports.
 *
 * <p>{@code count URL USER PASSWORD-FILE STORE FILE} prints the number of certificates and, on a
 * second line, what decides whether they survive a crash; one certificate goes to FILE as it is
 * stored. {@code schema URL USER PASSWORD-FILE FILE…} runs the upward half of migrations.
 */
final class StoredCertificates {

  private static final String DURABILITY =
      """
      SELECT 'PostgreSQL ' || current_setting('server_version')
             || ', fsync ' || current_setting('fsync')
             || ', synchronous_commit ' || current_setting('synchronous_commit')
      """;

  /** The mark of goose, which wrote them. */
  private static final String DOWN = "-- +goose Down";

  private StoredCertificates() {}

  /** How to count a store, and how to have one certificate of it. */
  private enum Kind {
    /** Parts of a certificate are in two tables; a client gets the whole by its serial number. */
    LEDGER(
        "SELECT count(serial) FROM outcome WHERE kind = 'issued'",
        "SELECT convert_to(encode(serial, 'hex'), 'UTF8') FROM outcome WHERE kind = 'issued'"
            + " ORDER BY recorded_at DESC LIMIT 1"),
    STEP_CA("SELECT count(nkey) FROM x509_certs", "SELECT nvalue FROM x509_certs LIMIT 1"),
    CFSSL("SELECT count(serial_number) FROM certificates", "SELECT pem FROM certificates LIMIT 1");

    private final String count;
    private final String one;

    Kind(String count, String one) {
      this.count = count;
      this.one = one;
    }
  }

  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    Database database = Database.at(arguments[1], arguments[2], Path.of(arguments[3]));
    switch (arguments[0]) {
      case "count" -> count(database, Kind.valueOf(arguments[4]), Path.of(arguments[5]));
      case "schema" -> {
        for (int i = 4; i < arguments.length; i++) {
          int ignored = database.execute(upward(Files.readString(Path.of(arguments[i]))));
        }
      }
      default -> throw new IllegalArgumentException("count or schema, not " + arguments[0]);
    }
  }

  private static void count(Database database, Kind kind, Path file) throws IOException {
    System.out.println(database.number(kind.count));
    System.out.println(database.first(DURABILITY, row -> row.getString(1)).orElseThrow());
    Files.write(file, database.first(kind.one, row -> row.getBytes(1)).orElse(new byte[0]));
  }

  /** The statements before the downward half, without the marks. */
  static String upward(String migration) {
    int down = migration.indexOf(DOWN);
    return (down < 0 ? migration : migration.substring(0, down))
        .lines()
        .filter(line -> !line.startsWith("--"))
        .collect(Collectors.joining("\n"));
  }
}
