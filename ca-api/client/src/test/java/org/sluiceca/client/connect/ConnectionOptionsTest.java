package org.sluiceca.client.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine;

class ConnectionOptionsTest {

  private final Map<String, String> environment = new HashMap<>();
  @TempDir private Path folder;
  private Path trial;
  private Path connections;

  @BeforeEach
  void prepare() throws Exception {
    trial = Files.createDirectory(folder.resolve("var"));
    Files.writeString(trial.resolve("run"), "port: 9443\nnodes: 2\n");
    Files.writeString(trial.resolve("admin.token"), "admin-token\n");
    Files.writeString(trial.resolve("enroll.token"), "enroll-token\n");
    connections = folder.resolve("connections.json");
    environment.put("SLUICE_CONNECTIONS", connections.toString());
  }

  @Test
  void resolve_trial_nodesInTurnAndTheLeastCredential() {
    Connection enrolling = resolve(Purpose.ENROLL, "--data", trial.toString());
    Connection administering = resolve(Purpose.ADMINISTER, "--data", trial.toString());

    assertThat(enrolling.urls())
        .containsExactly(
            URI.create("https://localhost:9443"), URI.create("https://localhost:9444"));
    assertThat(enrolling.credential())
        .isEqualTo(token("enroll-token", trial.resolve("enroll.token")));
    assertThat(administering.credential())
        .isEqualTo(token("admin-token", trial.resolve("admin.token")));
    assertThat(enrolling.caFile()).isEmpty();
  }

  @Test
  void resolve_token_isNeverPrinted() {
    assertThat(resolve(Purpose.ENROLL, "--data", trial.toString()).toString())
        .doesNotContain("enroll-token");
  }

  @Test
  void resolve_everythingNamed_commandLineFirst() throws Exception {
    keep();
    environment.put("SLUICE_URL", "https://elsewhere.example");
    Path token = Files.writeString(folder.resolve("my.token"), "mine\n");

    Connection connection =
        resolve(
            Purpose.ADMINISTER,
            "--url",
            "https://ca.example:8443/",
            "--token-file",
            token.toString(),
            "--data",
            trial.toString());

    assertThat(connection.urls()).containsExactly(URI.create("https://ca.example:8443"));
    assertThat(connection.credential()).isEqualTo(token("mine", token));
  }

  @Test
  void resolve_namedConnection_itsCredentialsByPurpose() throws Exception {
    keep();
    environment.put("SLUICE_DATA", trial.toString());

    Connection named = resolve(Purpose.ADMINISTER, "--connection", "prod");

    assertThat(named.urls())
        .containsExactly(URI.create("https://ca1.example"), URI.create("https://ca2.example"));
    assertThat(named.credential()).isEqualTo(token("prod-admin", folder.resolve("admin.token")));
    assertThat(resolve(Purpose.ENROLL, "--connection", "prod").credential())
        .isEqualTo(token("prod-web", folder.resolve("web.token")));
  }

  @Test
  void resolve_nothingNamed_trialOfTheEnvironmentThenTheDefaultConnection() throws Exception {
    keep();

    assertThat(resolve(Purpose.ENROLL).urls().getFirst())
        .isEqualTo(URI.create("https://ca1.example"));
    environment.put("SLUICE_DEFAULT_DATA", folder.resolve("none").toString());
    assertThat(resolve(Purpose.ENROLL).urls().getFirst())
        .isEqualTo(URI.create("https://ca1.example"));
    environment.put("SLUICE_DEFAULT_DATA", trial.toString());
    assertThat(resolve(Purpose.ENROLL).urls().getFirst())
        .isEqualTo(URI.create("https://localhost:9443"));
  }

  /** A credential never goes where its connection does not lead. */
  @Test
  void resolve_urlOrDataOfTheEnvironment_notTheDefaultConnectionsCredential() throws Exception {
    keep();
    environment.put("SLUICE_URL", "https://staging.example");
    refused("as whom?", Purpose.ADMINISTER);
    environment.remove("SLUICE_URL");
    environment.put("SLUICE_DATA", folder.resolve("mistyped").toString());
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> resolve(Purpose.ADMINISTER))
        .withMessageContaining("no token in");
  }

  @Test
  void resolve_contradictionsAndGaps_sayWhatToName() {
    refused("where is the service?", Purpose.ENROLL);
    refused("as whom?", Purpose.ENROLL, "--url", "https://ca.example");
    refused("--url is https://", Purpose.PUBLIC, "--url", "http://ca.example");
    refused("--url is https://", Purpose.PUBLIC, "--url", "https://user@ca.example");
    refused("no host name", Purpose.PUBLIC, "--url", "https://ca_1.example:8443");
    refused("no host name", Purpose.PUBLIC, "--url", "https://ca.example:84430");
    refused("belong together", Purpose.ENROLL, "--client-cert", "x");
    refused("which one?", Purpose.ENROLL, "--connection", "a", "--data", "b");
    refused("no connection 'a'", Purpose.ENROLL, "--connection", "a");
  }

  @Test
  void resolve_public_noCredentialIsRead() throws Exception {
    Files.delete(trial.resolve("enroll.token"));

    assertThat(resolve(Purpose.PUBLIC, "--data", trial.toString()).credential())
        .isEqualTo(new Credential.None());
  }

  @Test
  void place_ofEachSystem_whereUsersLook() {
    Path home = Path.of("home");
    assertThat(ConnectionFile.place(Map.of(), "Linux", home))
        .isEqualTo(home.resolve(".config/sluice/connections.json"));
    assertThat(ConnectionFile.place(Map.of("APPDATA", "roaming"), "Windows 11", home))
        .isEqualTo(Path.of("roaming", "sluice", "connections.json"));
    assertThat(ConnectionFile.place(Map.of("XDG_CONFIG_HOME", "x"), "Windows 11", home))
        .isEqualTo(home.resolve("AppData/Roaming/sluice/connections.json"));
    assertThat(ConnectionFile.place(Map.of("APPDATA", "roaming"), "Mac OS X", home))
        .isEqualTo(home.resolve(".config/sluice/connections.json"));
    assertThat(ConnectionFile.place(Map.of("XDG_CONFIG_HOME", "x"), "Linux", home))
        .isEqualTo(Path.of("x", "sluice", "connections.json"));
  }

  @Test
  void resolve_proxyOfTheEnvironment_leadsToTheNodes() {
    environment.put("https_proxy", "http://proxy.example:3128");
    environment.put("no_proxy", "ca.example");
    Connection connection = resolve(Purpose.PUBLIC, "--url", "https://other.example");
    assertThat(connection.proxies().via(URI.create("https://other.example"))).isPresent();
    assertThat(connection.proxies().via(URI.create("https://ca.example"))).isEmpty();
    environment.put("https_proxy", "socks5://proxy.example:1080");
    refused("https_proxy begins with socks5://", Purpose.PUBLIC, "--url", "https://other.example");
  }

  @Test
  void save_readAgain_theSame() throws Exception {
    keep();

    ConnectionFile read = new ConnectionFile(connections);
    assertThat(read.standard()).contains("prod");
    assertThat(read.find("prod").orElseThrow().urls())
        .containsExactly("https://ca1.example", "https://ca2.example");
    assertThat(read.remove("prod")).isTrue();
    assertThat(read.remove("prod")).isFalse();
    Files.writeString(connections, "{");
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> new ConnectionFile(connections))
        .withMessageContaining("cannot read the connections");
  }

  private static Credential token(String value, Path file) {
    return new Credential.Token(value, Optional.of(file));
  }

  private void keep() throws Exception {
    Path web = Files.writeString(folder.resolve("web.token"), "prod-web\n");
    Path admin = Files.writeString(folder.resolve("admin.token"), "prod-admin\n");
    ConnectionFile file = new ConnectionFile(connections);
    file.put(
        "prod",
        new ConnectionFile.Entry(
            List.of("https://ca1.example", "https://ca2.example"),
            null,
            web.toString(),
            admin.toString(),
            null,
            null),
        false);
    file.save();
  }

  private void refused(String says, Purpose purpose, String... arguments) {
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> resolve(purpose, arguments))
        .withMessageContaining(says)
        .satisfies(e -> assertThat(e.exitCode()).isEqualTo(2));
  }

  private Connection resolve(Purpose purpose, String... arguments) {
    ConnectionOptions options = new ConnectionOptions();
    new CommandLine(options).parseArgs(arguments);
    return options.resolve(purpose, environment, "Linux", folder);
  }
}
