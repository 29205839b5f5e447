package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** From a database and two tokens to a certificate, by {@code ./sluice setup} and its files. */
@Timeout(600)
class SetupIT {

  private static final Duration SHOWN_WITHIN = Duration.ofMinutes(2);
  private static final Duration READY_WITHIN = Duration.ofMinutes(3);

  /** Short, so that a kill comes before the step after next. */
  private static final Duration LOOK = Duration.ofMillis(20);

  private static final String ROOT_LABEL = "setup-root";
  private static final String PASSWORD = "sesame-4711";
  private static final String PUBLIC_URL = "http://pki.example.com";

  @RegisterExtension
  static final TrialExtension TRIAL = TrialExtension.own(folder -> Trial.Options.nodes(1));

  /** Its connections are for the nodes and programs of these tests. */
  @BeforeAll
  static void endTheTrialsNode() {
    TRIAL.trial().kill(0);
    superuser(
        "CREATE ROLE setup_owner LOGIN PASSWORD '" + PASSWORD + "'",
        "CREATE ROLE setup_service LOGIN PASSWORD '" + PASSWORD + "'",
        "GRANT pg_read_all_stats TO setup_owner, setup_service");
  }

  /** An empty database, two tokens and an empty folder. */
  private record Place(String database, SoftToken token, Path config) {

    static Place named(String name) {
      superuser("CREATE DATABASE " + name + " OWNER setup_owner");
      try {
        Path folder = Files.createDirectory(TRIAL.trial().folder().resolve(name));
        SoftToken token = SoftToken.make(Files.createDirectory(folder.resolve("token")));
        Program.of(
                "softhsm2-util",
                "--init-token",
                "--free",
                "--label",
                ROOT_LABEL,
                "--pin",
                Files.readString(token.pinFile()).strip(),
                "--so-pin",
                "90210000")
            .with(token.environment())
            .run()
            .ok();
        Files.writeString(folder.resolve("password"), PASSWORD + "\n");
        return new Place(name, token, Files.createDirectory(folder.resolve("config")));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    String url() {
      return url(database);
    }

    static String url(String database) {
      return "jdbc:postgresql://127.0.0.1:"
          + TRIAL.trial().read("postgres.port").strip()
          + "/"
          + database;
    }

    Path password() {
      return config.resolveSibling("password");
    }

    List<String> command(String... words) {
      List<String> command =
          new ArrayList<>(
              List.of(Checkout.launcher().toString(), "setup", "--config-dir", config.toString()));
      command.addAll(List.of(words));
      return command;
    }

    List<String> allOptions(String serviceUrl, String... more) {
      List<String> command =
          command(
              "--non-interactive",
              "--database-url",
              url(),
              "--database-user",
              "setup_service",
              "--database-password-file",
              password().toString(),
              "--database-migration-user",
              "setup_owner",
              "--database-migration-password-file",
              password().toString(),
              "--module",
              Checkout.softHsm().toString(),
              "--token-label",
              SoftToken.LABEL,
              "--pin-file",
              token.pinFile().toString(),
              "--subject",
              "CN=Setup Issuing CA",
              "--root-token-label",
              ROOT_LABEL,
              "--root-pin-file",
              token.pinFile().toString(),
              "--root-subject",
              "CN=Setup Root CA",
              "--public-url",
              PUBLIC_URL,
              "--service-url",
              serviceUrl);
      command.addAll(List.of(more));
      return command;
    }

    Program.Ended run(List<String> command) {
      return Program.of(command.toArray()).with(token.environment()).run();
    }

    long count(String table) {
      try (Connection connection = DriverManager.getConnection(url(), "setup_owner", PASSWORD);
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
        row.next();
        return row.getLong(1);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void superuser(String... statements) {
    try (Connection connection =
            DriverManager.getConnection(
                Place.url("postgres"),
                "postgres",
                TRIAL.trial().read("secrets/database-superuser.password").strip());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        boolean ignored = statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * SIGKILL after each of three steps, in which the next one has begun, then a run to the end, and
   * a node of what it wrote.
   */
  @Test
  void setup_killedBetweenSteps_goesOnAndTheNodeIssues() throws Exception {
    Place place = Place.named("setup_options");
    int port = Ports.NODES.free(3);
    String serviceUrl = "https://localhost:" + port;
    for (String step : List.of("migrate", "root", "ocsp-responder")) {
      kill(place, place.allOptions(serviceUrl), "done: " + step);
      assertThat(place.config().resolve("node.env")).doesNotExist();
    }

    Program.Ended ended = place.run(place.allOptions(serviceUrl)).ok();

    assertThat(ended.text())
        .contains("written: " + place.config().resolve("node.env"), "is good until")
        .doesNotContain(PASSWORD)
        .doesNotContain("done: install");
    assertThat(place.count("issuer")).isEqualTo(2);
    assertThat(place.count("intent")).isEqualTo(3);
    assertThat(place.count("credential")).isEqualTo(2);
    assertIssues(place, port);
  }

  /** Runs it until it has shown a text, and ends it as a power cut would. */
  private static void kill(Place place, List<String> command, String text) throws Exception {
    try (Shown setup = Shown.start(command, place.token().environment())) {
      setup.await(text);
    }
  }

  private static void assertIssues(Place place, int port) throws Exception {
    Path config = place.config();
    Path data = Files.createDirectory(config.resolveSibling("state"));
    Map<String, String> environment = new HashMap<>(place.token().environment());
    // What the service manager adds: the secrets, and the folder.
    environment.put("SLUICE_HSM_PIN_FILE", config.resolve("issuing.pin").toString());
    environment.put("SLUICE_DATABASE_PASSWORD_FILE", config.resolve("service.password").toString());
    environment.put("SLUICE_STATE_DIR", data.toString());
    environment.put("SERVER_PORT", String.valueOf(port));
    environment.put("SLUICE_HTTP_PORT", String.valueOf(port + 1));
    environment.put("MANAGEMENT_SERVER_PORT", String.valueOf(port + 2));
    List<String> command =
        List.of(
            "bash",
            "-c",
            "set -a; . \"$0\"; exec \"$1\" -XX:+UseSerialGC -Xmx128m -jar \"$2\"",
            config.resolve("node.env").toString(),
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            jar().toString());
    try (Shown node = Shown.start(command, environment)) {
      Api management = Api.plain(URI.create("http://127.0.0.1:" + (port + 2)));
      Duration took =
          Poll.until("the node is ready", READY_WITHIN, () -> isReady(management, node));
      Evidence.note("a node of setup's files: ready in %.1f s".formatted(took.toMillis() / 1e3));
      Path out = config.resolve("ceremony");
      Csr csr = Csr.openssl(data, Csr.KeyType.EC_P256, "www.setup.example.com");
      Api.trusting(URI.create("https://localhost:" + port), out.resolve("root.pem"))
          .with(Api.bearer(Files.readString(out.resolve("enroll.token")).strip()))
          .enroll("tls-server", csr.der())
          .is(201);
    }
  }

  private static boolean isReady(Api management, Shown node) {
    try {
      return management.get("/actuator/health/readiness").status() == 200;
    } catch (UncheckedIOException e) {
      node.requireAlive();
      return false;
    }
  }

  private static Path jar() {
    return Optional.ofNullable(System.getenv("SLUICE_DIST"))
        .map(Path::of)
        .orElse(Checkout.launcher().resolveSibling("ca-api/target/dist"))
        .resolve("ca-api.jar");
  }

  @Test
  void setup_wrongPasswordAndSuperuser_refusedWithoutAFile() throws Exception {
    Place place = Place.named("setup_refused");
    Path wrong = Files.writeString(place.config().resolveSibling("wrong"), "open sesame\n");
    Path superuser = TRIAL.trial().data().resolve("secrets/database-superuser.password");

    Program.Ended refused =
        place.run(
            place.command(
                "--non-interactive",
                "--database-url",
                place.url(),
                "--database-user",
                "setup_service",
                "--database-password-file",
                wrong.toString()));
    Program.Ended tooMighty =
        place.run(
            place.command(
                "--non-interactive",
                "--database-url",
                place.url(),
                "--database-user",
                "postgres",
                "--database-password-file",
                superuser.toString()));

    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.errors())
        .contains("refuses user setup_service", wrong.toString())
        .doesNotContain("open sesame");
    assertThat(tooMighty.status()).isEqualTo(1);
    assertThat(tooMighty.errors()).contains("postgres is a superuser");
    assertThat(place.config()).isEmptyDirectory();
  }

  /** At a real terminal, where what is typed as a secret is not shown. */
  @Test
  void setup_atATerminal_asksAndShowsNoSecret() throws Exception {
    Place place = Place.named("setup_terminal");
    String pin = Files.readString(place.token().pinFile()).strip();
    String command = String.join(" ", place.command("--no-calibrate"));
    try (Shown terminal =
        Shown.start(
            List.of("script", "-q", "-e", "-f", "-c", command, "/dev/null"),
            place.token().environment())) {
      terminal.answer("Database, jdbc:postgresql://HOST/NAME: ", place.url());
      terminal.answer("Role that nodes serve with [sluice_service]: ", "setup_service");
      terminal.answer("Its password: its file, or nothing to type it: ", "");
      terminal.answer("Its password (not shown): ", PASSWORD);
      terminal.answer("makes the schema [sluice]: ", "setup_owner");
      terminal.answer("Its password: its file, or nothing to type it: ", "");
      terminal.answer("Its password (not shown): ", PASSWORD);
      terminal.answer("PKCS#11 module (.so): ", Checkout.softHsm().toString());
      terminal.answer("Label of the token with the issuing key: ", SoftToken.LABEL);
      terminal.answer("Its user PIN: its file, or nothing to type it: ", "");
      terminal.answer("Its user PIN (not shown): ", pin);
      terminal.answer("Root: own, in a token of its own, or external [own]: ", "");
      terminal.answer("Subject of the issuing CA, CN=...,O=...,C=...: ", "CN=Typed Issuing CA");
      terminal.answer("Algorithm of the issuing key [ec-p256]: ", "");
      terminal.answer("PKCS#11 module of the root's token [", "");
      terminal.answer("Label of the root's token: ", ROOT_LABEL);
      terminal.answer("Its user PIN: its file, or nothing to type it: ", "");
      terminal.answer("Its user PIN (not shown): ", pin);
      terminal.answer("Subject of the root, CN=...,O=...,C=...: ", "CN=Typed Root CA");
      terminal.answer("Algorithm of the root's key [ec-p384]: ", "");
      terminal.answer("Days for which the root's CRL is good [90]: ", "");
      terminal.answer("it can never be changed: ", PUBLIC_URL);
      terminal.answer("Subject of the OCSP responder [", "");
      terminal.answer("https://host:port: ", "https://ca.example.com:8443");
      terminal.answer("Name of this node, another on each [", "");
      terminal.answer("Address on which this node serves [", "");
      terminal.answer("no authentication [", "");
      terminal.answer("Nodes that share the token [", "");
      terminal.answer("Go on? (yes, no, change): ", "yes");
      terminal.await("written: " + place.config().resolve("node.env"));

      assertThat(terminal.status()).isZero();
      assertThat(terminal.text()).doesNotContain(PASSWORD).doesNotContain(pin);
    }
    assertThat(place.config().resolve("service.password")).hasContent(PASSWORD + "\n");
    assertThat(place.config().resolve("setup.draft")).doesNotExist();
    assertThat(place.count("issuer")).isEqualTo(2);
  }

  /** A program whose output is read while it runs. Closing it kills it. */
  private static final class Shown implements AutoCloseable {
    private final List<String> command;
    private final Process process;
    private final Path output;
    private int read;

    private Shown(List<String> command, Process process, Path output) {
      this.command = command;
      this.process = process;
      this.output = output;
    }

    static Shown start(List<String> command, Map<String, String> environment) throws IOException {
      Path output = Files.createTempFile("blackbox", ".shown");
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      builder
          .environment()
          .keySet()
          .removeIf(name -> name.startsWith("SLUICE_") && !name.equals("SLUICE_DIST"));
      builder.environment().put("SLUICE_CONFIG", "/dev/null");
      builder.environment().putAll(environment);
      return new Shown(command, builder.start(), output);
    }

    String text() {
      try {
        return Files.readString(output);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Waits for a text after the last one that was waited for. */
    void await(String text) {
      Duration ignored =
          Poll.until(
              text + " of " + this,
              SHOWN_WITHIN,
              LOOK,
              () -> {
                boolean isAlive = process.isAlive();
                int place = text().indexOf(text, read);
                if (place < 0 && !isAlive) {
                  throw new AssertionError("ended without '" + text + "': " + this);
                }
                read = place < 0 ? read : place + text.length();
                return place >= 0;
              });
    }

    void answer(String prompt, String line) throws IOException {
      await(prompt);
      process.getOutputStream().write(Api.ascii(line + "\n"));
      process.getOutputStream().flush();
    }

    int status() throws InterruptedException {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("%s has ended", this).isTrue();
      return process.exitValue();
    }

    void requireAlive() {
      if (!process.isAlive()) {
        throw new AssertionError("ended with " + process.exitValue() + ": " + this);
      }
    }

    @Override
    public String toString() {
      return String.join(" ", command) + "\n" + text();
    }

    @Override
    public void close() throws IOException {
      List<ProcessHandle> children = process.descendants().toList();
      Process killed = process.destroyForcibly();
      children.forEach(ProcessHandle::destroyForcibly);
      Duration ignored = Poll.until("the end of " + this, SHOWN_WITHIN, () -> !killed.isAlive());
      Files.delete(output);
    }
  }
}
