package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A running {@code ./sluice up --detach} in a folder of its own on free ports. Closing it runs
 * {@code ./sluice down} and removes the folder.
 */
final class Trial implements AutoCloseable {

  /** A first build may fetch and compile; a start itself takes seconds. */
  private static final Duration UP_LIMIT = Duration.ofMinutes(8);

  /** Longer than the launcher waits for nodes to drain and for PostgreSQL. */
  private static final Duration DOWN_LIMIT = Duration.ofMinutes(2);

  private static final int LOG_LINES_SHOWN = 60;

  private static final String JVM_OPTIONS = "JDK_JAVA_OPTIONS";

  /**
   * Nodes that live for a minute spend half of the processor's time on a compiler whose code comes
   * too late for them. What is told of memory or speed is told of nodes with {@link #AS_SHIPPED}.
   */
  private static final String FIRST_COMPILER_ONLY = "-XX:TieredStopAtLevel=1";

  /** The environment of nodes whose JVM has no other options than the launcher's. */
  static final Map<String, String> AS_SHIPPED = Map.of(JVM_OPTIONS, "");

  /** Those that may run: their nodes would outlive the tests if the tests' JVM were ended. */
  private static final Set<Trial> STARTED = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Trial::closeAll, "end of trials"));
  }

  /**
   * How to start a trial: nodes, further options of {@code up} with their values, environment.
   *
   * @param token where its nodes sign; null if the launcher makes a token
   */
  record Options(
      int nodes,
      List<String> arguments,
      Map<String, String> environment,
      @Nullable SoftToken token) {

    Options(int nodes, List<String> arguments, Map<String, String> environment) {
      this(nodes, arguments, environment, null);
    }

    static Options nodes(int nodes) {
      return new Options(nodes, List.of(), Map.of());
    }

    /** With the token that {@code token} made, through {@code module}. */
    static Options token(int nodes, SoftToken token, Path module) {
      return new Options(
          nodes,
          List.of(
              "--pkcs11-module", module.toString(),
              "--token-label", SoftToken.LABEL,
              "--pin-file", token.pinFile().toString()),
          token.environment(),
          token);
    }

    /** With further options of {@code up}. */
    Options also(String... more) {
      return new Options(
          nodes, Stream.concat(arguments.stream(), Stream.of(more)).toList(), environment, token);
    }

    Options with(Map<String, String> more) {
      return new Options(nodes, arguments, merge(environment, more), token);
    }

    /**
     * The options of {@code up} by their names: all trials have a public URL, and most the same.
     */
    SortedMap<String, String> values() {
      SortedMap<String, String> values = new TreeMap<>();
      values.put("--public-url", TrialExtension.PUBLIC_URL);
      for (int i = 0; i < arguments.size(); i += 2) {
        values.put(arguments.get(i), arguments.get(i + 1));
      }
      return values;
    }

    private static Map<String, String> merge(Map<String, String> a, Map<String, String> b) {
      return Stream.of(a, b)
          .flatMap(m -> m.entrySet().stream())
          .collect(
              java.util.stream.Collectors.toUnmodifiableMap(
                  Map.Entry::getKey, Map.Entry::getValue, (old, fresh) -> fresh));
    }
  }

  private final Path folder;
  private final Options options;
  private final int firstPort;

  // One connection pool a node, as a real client would have.
  private final ConcurrentMap<Integer, Api> clients = new ConcurrentHashMap<>();

  /** Plans a trial in {@code folder}, which it owns from now on; {@link #up} starts it. */
  Trial(Path folder, Options options) {
    this.folder = folder;
    this.options = options;
    this.firstPort = Ports.NODES.free(3 * options.nodes());
  }

  /** Starts it, with further options; returns how the launcher ended. */
  Program.Ended up(String... more) {
    return up(options.environment(), more);
  }

  /** Starts it with more in its environment. */
  Program.Ended up(Map<String, String> environment) {
    return up(Options.merge(options.environment(), environment), new String[0]);
  }

  private Program.Ended up(Map<String, String> environment, String... more) {
    if (Files.notExists(data())) {
      Prepared.ofThisRun().copyTo(folder, options);
    }
    return launch("--detach", environment, more);
  }

  /** All that comes before the nodes, of which none is started. */
  Program.Ended prepare() {
    return launch("--prepare", options.environment());
  }

  private Program.Ended launch(String how, Map<String, String> environment, String... more) {
    STARTED.add(this);
    List<String> words = new ArrayList<>(List.of("up", how));
    words.addAll(
        List.of(
            "--port", String.valueOf(firstPort),
            "--http-port", String.valueOf(firstPort + options.nodes()),
            "--management-port", String.valueOf(firstPort + 2 * options.nodes()),
            "--nodes", String.valueOf(options.nodes())));
    options.values().forEach((name, value) -> words.addAll(List.of(name, value)));
    words.addAll(List.of(more));
    return sluice(words.toArray(String[]::new))
        .with(Options.merge(Map.of(JVM_OPTIONS, FIRST_COMPILER_ONLY), environment))
        .within(UP_LIMIT)
        .run();
  }

  Program.Ended down() {
    return sluice("down").within(DOWN_LIMIT).run();
  }

  /** The launcher on this trial's folder: {@code ./sluice WORD… --data DIR}. */
  Program sluice(String... words) {
    List<Object> all = new ArrayList<>(List.of(Checkout.launcher()));
    all.addAll(List.of(words));
    all.addAll(List.of("--data", data()));
    return Program.of(all.toArray());
  }

  Path data() {
    return folder.resolve("data");
  }

  /** Where a test may put files of its own, removed with the trial. */
  Path folder() {
    return folder;
  }

  URI https(int node) {
    return URI.create("https://localhost:" + (firstPort + node));
  }

  URI plain(int node) {
    return URI.create("http://localhost:" + (firstPort + options.nodes() + node));
  }

  URI management(int node) {
    return URI.create("http://localhost:" + (firstPort + 2 * options.nodes() + node));
  }

  /** A client of one node's HTTPS port with the token in {@code DIR/<name>.token}. */
  Api api(int node, String name) {
    return clients
        .computeIfAbsent(node, n -> Api.trusting(https(n), data().resolve("root.pem")))
        .with(Api.bearer(read(name + ".token").strip()));
  }

  /** The requester of the trial, at node 0. */
  Api enroller() {
    return api(0, "enroll");
  }

  String read(String name) {
    try {
      return Files.readString(data().resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends a node as a power cut would. */
  void kill(int node) {
    long pid = Long.parseLong(read("node-" + node + ".pid").strip());
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    if (!process.destroyForcibly()) {
      throw new AssertionError("node " + node + " could not be killed");
    }
    Poll.until("node " + node + " ends", Duration.ofSeconds(60), () -> !process.isAlive());
  }

  /** The ends of the nodes' logs, for a person who reads why a test failed. */
  String logs() {
    StringBuilder all = new StringBuilder();
    for (int node = 0; node < options.nodes(); node++) {
      Path log = data().resolve("node-" + node + ".log");
      if (Files.isReadable(log)) {
        List<String> lines = read(log.getFileName() + "").lines().toList();
        all.append("--- ").append(log).append('\n');
        lines.stream()
            .skip(Math.max(0, lines.size() - LOG_LINES_SHOWN))
            .forEach(line -> all.append(line).append('\n'));
      }
    }
    return all.toString();
  }

  @Override
  public void close() {
    try {
      down().ok();
    } finally {
      delete(folder);
      STARTED.remove(this);
    }
  }

  private static void closeAll() {
    for (Trial trial : STARTED) {
      try {
        trial.close();
      } catch (RuntimeException | AssertionError e) {
        System.err.println("not ended: " + trial.folder + ": " + e);
      }
    }
  }

  static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
