package org.sluiceca.load.watch;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.sluiceca.load.call.Database;
import org.sluiceca.load.call.Http;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;

/**
 * The nodes of a trial, started by {@code ./sluice up} and found again by their pid files. Used by
 * one thread at a time.
 */
public final class TrialNodes {

  /** The launcher's NODE_START_SECONDS (deploy/local/nodes.sh). */
  private static final Duration NODE_START = Duration.ofMinutes(3);

  /** The launcher's TRAINING_SECONDS: a first start trains the start-up cache. */
  private static final Duration TRAINING = Duration.ofMinutes(4);

  /** The database, the keys and the launcher itself. */
  private static final Duration AROUND = Duration.ofMinutes(2);

  /** Of commands that start no node. */
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(8);

  /** A trail of millions of events is read whole. */
  private static final Duration AUDIT_LIMIT = Duration.ofMinutes(15);

  private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(10);

  /** The service drains for 30 s at most; twice that on a busy machine. */
  private static final Duration DRAIN_LIMIT = Duration.ofMinutes(1);

  /** Whose the ledger is. */
  static final String DATABASE_USER = "sluice";

  /** The file with that user's password. */
  static final String DATABASE_PASSWORD = "secrets/database.password";

  private final Path launcher;
  private final Path data;
  private final NodeProcesses processes;
  private final Map<String, String> environment;
  private final Ports ports;
  private final List<String> options;
  private int nodes;
  private Map<String, String> settings = Map.of();

  /** The first port of each range. */
  public record Ports(int https, int http, int management) {}

  /**
   * No process yet.
   *
   * @param launcher {@code ./sluice}
   * @param data its folder
   * @param environment of the nodes, in addition to what the launcher sets
   * @param options of {@code up}, in addition to folder, ports and nodes
   */
  public TrialNodes(
      Path launcher,
      Path data,
      Map<String, String> environment,
      Ports ports,
      List<String> options) {
    this.launcher = launcher;
    this.data = data;
    this.processes = new NodeProcesses(data);
    this.environment = Map.copyOf(environment);
    this.ports = ports;
    this.options = List.copyOf(options);
  }

  /**
   * Starts nodes until {@code count} run, those that died included; returns when all are ready.
   *
   * @throws TrialException if one does not start
   */
  public void up(int count) {
    nodes = Math.max(nodes, count);
    List<String> words =
        new ArrayList<>(List.of(launcher.toString(), "up", "--detach", "--data", data.toString()));
    words.addAll(List.of("--nodes", "" + nodes, "--port", "" + ports.https()));
    words.addAll(List.of("--http-port", "" + ports.http()));
    words.addAll(List.of("--management-port", "" + ports.management()));
    words.addAll(options);
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(settings);
    String ignored = Command.run(words, all, upLimit(nodes));
  }

  /**
   * Has all nodes run with these settings in addition to the trial's own: nodes that run with
   * others are stopped, and all are started again. Returns whether they were.
   *
   * @param wanted by their names in the environment
   * @throws TrialException if one does not end within a minute, or does not start
   */
  public boolean have(Map<String, String> wanted) {
    if (settings.equals(wanted)) {
      return false;
    }
    end();
    settings = Map.copyOf(wanted);
    up(nodes);
    return true;
  }

  /**
   * Ends all nodes in order, and leaves the database as it is.
   *
   * @throws TrialException if one does not end within a minute
   */
  public void end() {
    end(processes());
  }

  /**
   * Ends one node in order, as its service would (SIGTERM).
   *
   * @throws TrialException if it does not live, or does not end within a minute
   */
  public void end(int node) {
    end(List.of(processes.living(node)));
  }

  private static void end(List<ProcessHandle> living) {
    living.forEach(ProcessHandle::destroy);
    Wait.require(
        DRAIN_LIMIT,
        Duration.ofMillis(50),
        "not all of these nodes end: " + living,
        () -> living.stream().noneMatch(process -> NodeProcesses.isAlive(process.pid())));
  }

  /**
   * Ends whatever of the trial lives, the database too; nothing, if there is no trial yet.
   *
   * @throws TrialException if it does not end
   */
  public void down() {
    String ignored =
        Command.run(
            List.of(launcher.toString(), "down", "--data", data.toString()),
            Map.of(),
            COMMAND_LIMIT);
  }

  /** Returns the resident memory of the nodes that live, in bytes. */
  public Map<Integer, Long> resident() {
    Map<Integer, Long> resident = new HashMap<>();
    for (int node = 0; node < nodes; node++) {
      int number = node;
      processes
          .find(node)
          .ifPresent(it -> resident.put(number, ProcessTimes.residentBytes(it.pid())));
    }
    return resident;
  }

  /** Each node starts after the one before; the launcher's own limits are to be reached first. */
  static Duration upLimit(int nodes) {
    return NODE_START.multipliedBy(nodes).plus(TRAINING).plus(AROUND);
  }

  /**
   * Measures what of a tokens file's tokens was not measured before: {@code ceremony calibrate}.
   *
   * @throws TrialException if one cannot be measured
   */
  public void calibrate(Path tokensFile) {
    List<String> words =
        new ArrayList<>(List.of(launcher.toString(), "ceremony", "calibrate", "--if-missing"));
    words.addAll(List.of("--tokens-file", tokensFile.toString()));
    words.addAll(List.of("--database-url", databaseUrl(), "--database-user", DATABASE_USER));
    words.addAll(List.of("--database-password-file", file(DATABASE_PASSWORD).toString()));
    String ignored = Command.run(words, Map.of(), COMMAND_LIMIT);
  }

  /** Returns where the trial's ledger is. */
  String databaseUrl() {
    return "jdbc:postgresql://127.0.0.1:" + read("postgres.port") + "/sluice";
  }

  /** Returns what trusts the trial's root, and nothing else. */
  public SSLContext tls() throws IOException, GeneralSecurityException {
    return Http.trusting(file("root.pem"));
  }

  /** Returns the certificate of the first issuer. */
  public X509Certificate issuer() throws IOException, GeneralSecurityException {
    try (InputStream chain = Files.newInputStream(file("chain.pem"))) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(chain);
    }
  }

  /** Returns the database, to ask it independently of the service. */
  public Database ledger() {
    return new Database(
        () -> DriverManager.getConnection(databaseUrl(), DATABASE_USER, read(DATABASE_PASSWORD)));
  }

  /** Returns how many nodes there should be. */
  public int count() {
    return nodes;
  }

  /** Returns the port of HTTPS of node 0. */
  public int httpsPort() {
    return ports.https();
  }

  /** Returns the port of plain HTTP of a node. */
  public int httpPort(int node) {
    return ports.http() + node;
  }

  /** Returns the port of health and metrics of a node. */
  public int managementPort(int node) {
    return ports.management() + node;
  }

  /** Returns the nodes whose process lives. */
  public List<Integer> living() {
    return IntStream.range(0, nodes)
        .filter(node -> processes.find(node).isPresent())
        .boxed()
        .toList();
  }

  /** Returns the pids of the nodes that live. */
  public List<Long> pids() {
    return processes().stream().map(ProcessHandle::pid).toList();
  }

  private List<ProcessHandle> processes() {
    return IntStream.range(0, nodes).mapToObj(processes::find).flatMap(Optional::stream).toList();
  }

  /** Ends a node as a power cut would (SIGKILL), and waits until it is gone, 10 s at most. */
  public void kill(int node) {
    ProcessHandle process = processes.living(node);
    if (!process.destroyForcibly()) {
      throw new TrialException("node " + node + " cannot be killed");
    }
    boolean ignored =
        Wait.until(
            Duration.ofSeconds(10),
            Duration.ofMillis(1),
            () -> !NodeProcesses.isAlive(process.pid()));
  }

  /** Stops a node's process where it is (SIGSTOP), as a pause of its machine would. */
  public void stop(int node) {
    signal("-STOP", node);
  }

  /** Has a stopped node go on (SIGCONT). */
  public void goOn(int node) {
    signal("-CONT", node);
  }

  private void signal(String signal, int node) {
    ProcessHandle process = processes.living(node);
    String ignored =
        Command.run(List.of("kill", signal, "" + process.pid()), Map.of(), SIGNAL_LIMIT);
  }

  /**
   * Returns the last line of what {@code ./sluice audit verify} says, or nothing if it finds fault
   * with the trial's chains: then {@code progress} receives it.
   */
  public String audit(PrintStream progress) {
    try {
      return Command.run(
              List.of(launcher.toString(), "audit", "verify", "--data", data.toString()),
              Map.of(),
              AUDIT_LIMIT)
          .lines()
          .reduce((earlier, later) -> later)
          .orElse("verified");
    } catch (TrialException e) {
      progress.println("sluice: " + e.getMessage());
      return "";
    }
  }

  /** Returns a file of the trial as text, without blanks around it. */
  public String read(String name) {
    try {
      return Files.readString(data.resolve(name)).strip();
    } catch (IOException e) {
      throw new TrialException("cannot read " + data.resolve(name), e);
    }
  }

  /** Returns a path in the trial's folder. */
  public Path file(String name) {
    return data.resolve(name);
  }
}
