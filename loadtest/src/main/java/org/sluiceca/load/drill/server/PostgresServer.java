package org.sluiceca.load.drill.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.sluiceca.load.call.Database;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.page.Text;

/**
 * One PostgreSQL server of a drill. If this process ends before it, the launcher ends it. Used by
 * one thread, which it blocks for two minutes at most.
 */
public final class PostgresServer implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static final Duration LOOK = Duration.ofMillis(50);

  /** As the launcher starts its own (deploy/local/postgres.sh): durable, loopback alone. */
  private static final List<String> SETTINGS =
      List.of(
          "listen_addresses=127.0.0.1",
          "unix_socket_directories=",
          "fsync=on",
          "synchronous_commit=on",
          "max_connections=148",
          "max_locks_per_transaction=256",
          "jit=off",
          "log_min_error_statement=panic",
          // What a standby has missed while it was copied.
          "wal_keep_size=512MB");

  private final Servers servers;
  private final Path cluster;
  private int port;

  // Written by the thread that uses this, read by the hook as well.
  private volatile Optional<Process> process = Optional.empty();

  PostgresServer(Servers servers, Path cluster, int port) {
    this.servers = servers;
    this.cluster = cluster;
    this.port = port;
    // The end of the drill also ends a server that has not yet written the pid by which the
    // launcher finds it.
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> process.ifPresent(Process::destroy), "end-" + port));
  }

  /** Returns the folder of its cluster. */
  public Path cluster() {
    return cluster;
  }

  /** Returns where it listens. */
  public int port() {
    return port;
  }

  /** Has its next start use another port, where no node looks for it. */
  public void move(int otherPort) {
    port = otherPort;
  }

  /**
   * Starts it and waits until it lets the superuser in; a standby does when it is consistent.
   *
   * @param settings in addition to those that all have
   * @throws TrialException if it ends, or does not let anybody in
   */
  public void start(Map<String, String> settings) {
    List<String> words = new ArrayList<>(servers.account());
    words.addAll(List.of(servers.programs().resolve("bin/postgres").toString()));
    words.addAll(List.of("-D", cluster.toString(), "-p", "" + port));
    SETTINGS.forEach(setting -> words.addAll(List.of("-c", setting)));
    settings.forEach((name, value) -> words.addAll(List.of("-c", name + "=" + value)));
    Path log = cluster.resolveSibling(cluster.getFileName() + ".log");
    try {
      Files.deleteIfExists(cluster.resolve("postmaster.pid"));
      process =
          Optional.of(
              new ProcessBuilder(words)
                  .directory(servers.folder().toFile())
                  .redirectErrorStream(true)
                  .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                  .start());
    } catch (IOException e) {
      throw new TrialException("PostgreSQL cannot be started in " + cluster, e);
    }
    await("a server in " + cluster.getFileName(), this::letsIn);
  }

  private boolean letsIn() {
    if (process.filter(Process::isAlive).isEmpty()) {
      throw new TrialException("PostgreSQL has ended, see " + cluster + ".log: " + lastLog());
    }
    try (Connection connection = superuser()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  private String lastLog() {
    try {
      List<String> lines = Files.readAllLines(Path.of(cluster + ".log"));
      return String.join(" | ", lines.subList(Math.max(0, lines.size() - 4), lines.size()));
    } catch (IOException e) {
      return "no log";
    }
  }

  /** Opens a connection as the superuser; the caller closes it. */
  public Connection superuser() throws SQLException {
    return open("postgres", "postgres", "database-superuser");
  }

  /** Opens a connection to the ledger as its owner; the caller closes it. */
  public Connection ledger() throws SQLException {
    return open("sluice", "sluice", "database");
  }

  private Connection open(String database, String user, String secret) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?connectTimeout=2",
        user,
        servers.password(secret));
  }

  /** Returns where nodes find this one alone. */
  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/sluice";
  }

  /** Executes a statement as the superuser. */
  public void execute(String sql) {
    int ignored = new Database(this::superuser).execute(sql);
  }

  /** Returns the first column of a query's first row, as text; empty if there is none. */
  public String ask(String sql) {
    return new Database(this::superuser)
        .first(sql, row -> Objects.requireNonNullElse(row.getString(1), ""))
        .orElse("");
  }

  /** Waits until a query says so. */
  public void await(String what, String sql, String wanted) {
    await(what, () -> ask(sql).equals(wanted));
  }

  private static void await(String what, BooleanSupplier isSo) {
    Wait.require(LIMIT, LOOK, "not yet: " + what, isSo);
  }

  /**
   * Starts it as a standby, from a base backup of a primary that it reaches at this port, and
   * returns when it takes part.
   */
  public void follow(int primaryPort, PostgresServer primary) {
    write("standby.signal", "");
    configure(
        List.of(
            Text.format(
                "primary_conninfo = 'host=127.0.0.1 port=%d user=postgres password=%s application_name=standby'",
                primaryPort, servers.password("database-superuser"))));
    start(Map.of());
    primary.await("a standby that follows", "SELECT state FROM pg_stat_replication", "streaming");
  }

  /** Adds lines to the cluster's own settings, which hold what must not stand on a command line. */
  public void configure(List<String> lines) {
    write("postgresql.auto.conf", String.join("\n", lines) + "\n");
  }

  /** Adds to a file of the cluster, or makes it, for the account that PostgreSQL runs under. */
  public void write(String name, String text) {
    Path file = cluster.resolve(name);
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      Files.setOwner(file, Files.getOwner(cluster));
    } catch (IOException e) {
      throw new TrialException("cannot write " + file, e);
    }
  }

  /** Ends it as a power cut would: SIGKILL of the postmaster, whose children then find it gone. */
  public void kill() {
    end(Process::destroyForcibly);
  }

  /** Ends it in order. */
  @Override
  public void close() {
    // SIGINT is the fast shutdown; SIGTERM would wait for clients.
    end(
        living -> {
          try {
            return new ProcessBuilder("kill", "-INT", "" + living.pid()).start();
          } catch (IOException e) {
            return living.destroyForcibly();
          }
        });
  }

  private void end(UnaryOperator<Process> ending) {
    if (process.isEmpty()) {
      return;
    }
    Process living = process.get();
    List<ProcessHandle> children = living.descendants().toList();
    Process ignored = ending.apply(living);
    try {
      if (!living.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new TrialException("PostgreSQL (pid " + living.pid() + ") does not end");
      }
    } catch (InterruptedException e) {
      throw Wait.interrupted(e);
    }
    await(
        "the end of all of PostgreSQL", () -> children.stream().noneMatch(ProcessHandle::isAlive));
    process = Optional.empty();
  }
}
