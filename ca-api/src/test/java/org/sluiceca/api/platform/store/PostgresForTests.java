package org.sluiceca.api.platform.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.LedgerDatabase.Owner;
import org.springframework.util.FileSystemUtils;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * The real PostgreSQL of a test run, one for the JVM: the one that SLUICE_TEST_DATABASE_URL names
 * (with _USER and _PASSWORD; the user must be allowed to create databases), else a container where
 * an engine runs, else an embedded one, and then another one to crash. {@code
 * -Drequire.docker=true} makes a missing engine a failure.
 */
public final class PostgresForTests {

  /** How the server came to be. */
  enum Kind {
    EXTERNAL,
    CONTAINER,
    EMBEDDED
  }

  private static final String URL = "SLUICE_TEST_DATABASE_URL";
  private static final String IMAGE = "postgres:18-alpine";
  private static final int KEPT_MAX = 4;

  /** Roles whose passwords are their names. */
  private static final String SERVICE = "sluice_service";

  private static final String READING = "sluice_reading";
  private static final Path MEMORY = Path.of("/dev/shm");

  /** Some three hundred databases of 10 MB, twice. */
  private static final long MEMORY_NEEDED_BYTES = 6L << 30;

  private static final PostgresForTests THE_SERVER = start();

  /** Started by the first test that crashes it. */
  private static final class ToCrash {
    private static final PostgresForTests SERVER =
        THE_SERVER.kind == Kind.EMBEDDED ? embeddedUnchecked() : THE_SERVER;
  }

  private final Kind kind;
  private final Account administrator;
  private final Account owner;
  private final Killer killer;
  private final AtomicInteger databases = new AtomicInteger();

  @GuardedBy("this")
  private @Nullable String template;

  /** Connections of {@link #execute} and {@link #number}: tests call them by the thousand. */
  @GuardedBy("this")
  private final Deque<Kept> kept = new ArrayDeque<>();

  private PostgresForTests(Kind kind, Account administrator, Account owner, Killer killer) {
    this.kind = kind;
    this.administrator = administrator;
    this.owner = owner;
    this.killer = killer;
  }

  private record Kept(Address address, Connection connection) {}

  /** Where {@code %s} stands for the database in the URL. */
  private record Account(String urlPattern, String user, String password) {}

  /** Ends a server process by its id, as the kernel would when memory runs out. */
  private interface Killer {
    void kill(int pid) throws SQLException, IOException, InterruptedException;
  }

  /** Returns the server, which is started at the first call. */
  public static PostgresForTests get() {
    return THE_SERVER;
  }

  /**
   * Returns a server for tests that crash it. Recovery syncs every file that was written since the
   * last checkpoint, one by one: so it has no databases but theirs, which no other test waits for.
   */
  public static PostgresForTests toCrash() {
    return ToCrash.SERVER;
  }

  Kind kind() {
    return kind;
  }

  /** Creates an empty database, owned by a role without further rights. */
  public Address emptyDatabase() {
    return create("template1");
  }

  /**
   * Creates a database with the schema of this program, as {@link LedgerDatabase#migrate} leaves
   * it, and the same owner. It is a copy: migrations take most of a second, and most tests are of
   * something else. What crashes the server gets an empty one, for a copy is many files to sync.
   */
  public Address freshDatabase() {
    return this == THE_SERVER ? service(create(template())) : emptyDatabase();
  }

  /**
   * Returns the same database for the role that nodes serve with: what the product does in tests,
   * it does with no more rights than in production.
   */
  public Address service(Address database) {
    return kind == Kind.EXTERNAL ? database : as(SERVICE, database);
  }

  /** Returns the same database for a role that may read reports, once it is granted. */
  public Address reading(Address database) {
    return as(READING, database);
  }

  /** Returns the same database for the role that nodes serve with, migrated by the owner. */
  public Address serviceMigratedByOwner(Address database) {
    Address service = service(database);
    return new Address(
        service.url(),
        service.user(),
        service.passwordFile(),
        Owner.of(database.user(), database.passwordFile()));
  }

  /** Whether the server is this suite's own, so that it has roles next to the owner's. */
  public boolean hasRoles() {
    return kind != Kind.EXTERNAL;
  }

  private static Address as(String role, Address database) {
    return new Address(database.url(), role, passwordFile(role));
  }

  /**
   * Waits until {@code database}, whose schema is there, has the connections that a node waits for
   * when it starts: the first login of a process can take longer than its callers wait.
   */
  public static void awaitLogin(LedgerDatabase database) {
    for (DataSource pool : List.of(database.general(), database.auditing())) {
      Await.until(
          "the ledger's server takes a connection",
          () -> {
            try {
              pool.getConnection().close();
              return true;
            } catch (SQLException e) {
              return false;
            }
          });
    }
  }

  private synchronized String template() {
    if (template == null) {
      Address address = emptyDatabase();
      Address migrated = hasRoles() ? serviceMigratedByOwner(address) : address;
      try (LedgerDatabase database = new LedgerDatabase(migrated)) {
        database.migrate();
        boolean _ = database.largeIndexes().create();
      }
      template = databaseOf(address);
    }
    return template;
  }

  private Address create(String from) {
    String name =
        String.format(
            Locale.ROOT,
            "sluice_test_%d_%d",
            ProcessHandle.current().pid(),
            databases.incrementAndGet());
    try (Connection connection = connect(administrator, "postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(
          String.format(
              Locale.ROOT, "CREATE DATABASE %s OWNER %s TEMPLATE %s", name, owner.user(), from));
      return new Address(
          String.format(Locale.ROOT, owner.urlPattern(), name),
          owner.user(),
          passwordFile(owner.password()));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create a test database", e);
    }
  }

  private static Path passwordFile(String password) {
    try {
      Path file = Files.createTempFile("sluice-test", ".password");
      file.toFile().deleteOnExit();
      Files.writeString(file, password + "\n");
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a connection without any of the product's limits. */
  public Connection connect(Address address) throws SQLException {
    return DriverManager.getConnection(address.url(), owner.user(), owner.password());
  }

  /** Executes statements as the tables' owner. */
  public void execute(Address address, String... statements) {
    long _ =
        asOwner(
            address,
            statement -> {
              for (String sql : statements) {
                statement.execute(sql);
              }
              return 0;
            });
  }

  /** Returns the number that a query gives. */
  public long number(Address address, String sql) {
    return asOwner(
        address,
        statement -> {
          try (ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
          }
        });
  }

  /** What a test does alongside the product. */
  private interface Aside {
    long run(Statement statement) throws SQLException;
  }

  private long asOwner(Address address, Aside aside) {
    try {
      Connection connection = borrow(address);
      long answer;
      try (Statement statement = connection.createStatement()) {
        answer = aside.run(statement);
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
      giveBack(address, connection);
      return answer;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Connection borrow(Address address) throws SQLException {
    synchronized (this) {
      Iterator<Kept> each = kept.iterator();
      while (each.hasNext()) {
        Kept candidate = each.next();
        if (candidate.address().equals(address)) {
          each.remove();
          return candidate.connection();
        }
      }
    }
    Connection connection = connect(address);
    if (mayKeep()) {
      // What a test writes need not be on the disk before it goes on.
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET synchronous_commit = off");
      }
    }
    return connection;
  }

  private void giveBack(Address address, Connection connection) throws SQLException {
    Connection surplus = connection;
    if (mayKeep()) {
      synchronized (this) {
        kept.addFirst(new Kept(address, connection));
        if (kept.size() <= KEPT_MAX) {
          return;
        }
        surplus = kept.removeLast().connection();
      }
    }
    surplus.close();
  }

  /** Not of a server that crashes. */
  private boolean mayKeep() {
    return kind == Kind.EMBEDDED && this == THE_SERVER;
  }

  /** Writes what there is to disk: a crash then takes as long as what came afterwards. */
  public void checkpoint() {
    if (kind == Kind.EXTERNAL) {
      // It does not crash, and its user may not.
      return;
    }
    try (Connection connection = connect(administrator, "postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("CHECKPOINT");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Kills one server process; PostgreSQL then ends all others and recovers from its log, as after a
   * crash. On an external server only the connections to this database are terminated.
   */
  public void crash(Address address) {
    try (Connection connection = connectWhenUp(address);
        Statement statement = connection.createStatement()) {
      if (kind == Kind.EXTERNAL) {
        statement.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
        return;
      }
      try (ResultSet result = statement.executeQuery("SELECT pg_backend_pid()")) {
        result.next();
        killer.kill(result.getInt(1));
      }
    } catch (SQLException | IOException e) {
      throw new IllegalStateException("cannot crash the server", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The crash before may not be over for everybody whom it ends. */
  private Connection connectWhenUp(Address address) {
    AtomicReference<Connection> connected = new AtomicReference<>();
    Await.until(
        "the server takes a connection",
        () -> {
          try {
            connected.set(connect(administrator, databaseOf(address)));
            return true;
          } catch (SQLException e) {
            return false;
          }
        });
    return connected.get();
  }

  private static String databaseOf(Address address) {
    return address.url().replaceFirst("\\?.*$", "").replaceFirst("^.*/", "");
  }

  private static Connection connect(Account account, String database) throws SQLException {
    return DriverManager.getConnection(
        String.format(Locale.ROOT, account.urlPattern(), database),
        account.user(),
        account.password());
  }

  private static PostgresForTests start() {
    String url = System.getenv(URL);
    boolean docker = url == null && DockerClientFactory.instance().isDockerAvailable();
    if (Boolean.getBoolean("require.docker") && !docker) {
      throw new IllegalStateException("require.docker is set and no engine runs");
    }
    try {
      PostgresForTests server = url != null ? external(url) : docker ? container() : embedded();
      String line = "PostgreSQL under test: " + server.kind + ", " + server.version();
      System.out.println(line);
      Files.createDirectories(Path.of("target"));
      Files.writeString(Path.of("target", "test-environment.txt"), line + "\n");
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException("the PostgreSQL under test does not answer", e);
    }
  }

  private String version() throws SQLException {
    try (Connection connection = connect(administrator, "postgres")) {
      return connection.getMetaData().getDatabaseProductVersion();
    }
  }

  private static PostgresForTests external(String url) {
    String pattern = url.replaceFirst("(//[^/]+/)[^?]*", "$1%s");
    Account account =
        new Account(
            pattern,
            System.getenv().getOrDefault(URL.replace("_URL", "_USER"), "postgres"),
            System.getenv().getOrDefault(URL.replace("_URL", "_PASSWORD"), ""));
    return new PostgresForTests(Kind.EXTERNAL, account, account, pid -> {});
  }

  // Not closed: it ends with the JVM, by the container's own reaper.
  @SuppressWarnings("resource")
  private static PostgresForTests container() throws SQLException {
    PostgreSQLContainer container = new PostgreSQLContainer(IMAGE);
    container.setCommand("postgres", "-c", "fsync=off", "-c", "max_locks_per_transaction=256");
    container.start();
    String pattern =
        String.format(
            Locale.ROOT,
            "jdbc:postgresql://%s:%d/%%s",
            container.getHost(),
            container.getMappedPort(5432));
    Account administrator = new Account(pattern, container.getUsername(), container.getPassword());
    return new PostgresForTests(
        Kind.CONTAINER,
        administrator,
        createOwner(administrator),
        pid -> container.execInContainer("kill", "-9", Integer.toString(pid)));
  }

  // Not closed: it has a shutdown hook of its own.
  @SuppressWarnings("resource")
  private static PostgresForTests embedded() throws IOException, SQLException {
    // Its defaults give up durability for speed; the ledger is tested with it. But no test cuts the
    // power: what the
    // kernel has taken, a crash of the server keeps, and syncing would have the tests wait for a
    // busy disk.
    EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "off")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("max_connections", "200")
            .setServerConfig("max_locks_per_transaction", "256")
            .setServerConfig("autovacuum", "off")
            .setDataDirectory(dataDirectory())
            .setPGStartupWait(Duration.ofMinutes(2))
            .start();
    Account administrator =
        new Account(
            "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/%s", "postgres", "unused");
    return new PostgresForTests(
        Kind.EMBEDDED,
        administrator,
        createOwner(administrator),
        pid -> ProcessHandle.of(pid).orElseThrow().destroyForcibly());
  }

  /**
   * In memory where there is enough: a copy of the template is a thousand files, which takes a file
   * system on a disk most of a second and memory a tenth of one. The server removes it at its end;
   * what a killed one left there is removed by the next.
   */
  private static Path dataDirectory() throws IOException {
    String prefix = "sluice-test-postgres-";
    if (!Files.isWritable(MEMORY) || MEMORY.toFile().getUsableSpace() < MEMORY_NEEDED_BYTES) {
      return Files.createTempDirectory(prefix);
    }
    try (DirectoryStream<Path> left = Files.newDirectoryStream(MEMORY, prefix + "*")) {
      for (Path folder : left) {
        String name = folder.getFileName().toString();
        String pid = name.substring(prefix.length(), name.lastIndexOf('-'));
        if (ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
          FileSystemUtils.deleteRecursively(folder);
        }
      }
    }
    return Files.createTempDirectory(MEMORY, prefix + ProcessHandle.current().pid() + "-");
  }

  private static PostgresForTests embeddedUnchecked() {
    try {
      return embedded();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Account createOwner(Account administrator) throws SQLException {
    try (Connection connection = connect(administrator, "postgres");
        Statement statement = connection.createStatement()) {
      for (String role : List.of("sluice", SERVICE, READING)) {
        statement.execute("CREATE ROLE " + role + " LOGIN PASSWORD '" + role + "'");
      }
      statement.execute("GRANT pg_read_all_stats TO sluice, " + SERVICE);
    }
    return new Account(administrator.urlPattern(), "sluice", "sluice");
  }
}
