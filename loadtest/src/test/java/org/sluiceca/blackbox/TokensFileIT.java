package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Tokens that are added, lost and removed while a node runs. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TokensFileIT {

  private static final String REPLICA = "replica1";
  private static final Duration APPLIED_WITHIN = Duration.ofSeconds(60);
  private static final Duration REUSED_WITHIN = Duration.ofSeconds(15);
  private static final int WHILE_LOST = 40;

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder -> {
            SoftToken token = SoftToken.make(folder.resolve("token"));
            Path file = folder.resolve("tokens.yaml");
            write(file, entry("a", token.ownModule("a"), SoftToken.LABEL, token.pinFile()));
            return Trial.Options.token(1, token, Checkout.softHsm())
                .also("--tokens-file", file.toString());
          });

  private static SoftToken token() {
    return new SoftToken(TRIAL.trial().folder().resolve("token"));
  }

  private static Path file() {
    return TRIAL.trial().folder().resolve("tokens.yaml");
  }

  private static String entry(String name, Path module, String label, Path pin) {
    return "- {name: %s, module: %s, token-label: %s, pin-file: %s}%n"
        .formatted(name, module, label, pin);
  }

  /** As an operator should: whole, or not at all. */
  private static void write(Path file, String content) {
    try {
      Path fresh = Files.writeString(file.resolveSibling("tokens.new"), content);
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Csr csr() {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "tokens.example.com");
  }

  /** State by name of the token. */
  private static Map<String, String> states() {
    Map<String, String> states = new HashMap<>();
    for (JsonNode hsm : TRIAL.trial().enroller().get("/v1/capacity").is(200).json().path("hsms")) {
      states.put(hsm.path("name").asString(), hsm.path("state").asString());
    }
    return states;
  }

  private static String metrics() {
    return Api.plain(TRIAL.trial().management(0)).get("/actuator/prometheus").text();
  }

  @Test
  @Order(1)
  void tokenAdded_joinsWithoutRestart() throws IOException {
    byte[] csr = csr().pemBytes();
    TRIAL.trial().enroller().enroll("tls-server", csr).is(201);
    assertThat(states()).isEqualTo(Map.of("a", "ready"));
    token().replicate(REPLICA);

    write(
        file(),
        Files.readString(file()) + entry("b", token().ownModule("b"), REPLICA, token().pinFile()));

    Duration joined =
        Poll.until(
            "b is ready",
            APPLIED_WITHIN,
            () -> states().equals(Map.of("a", "ready", "b", "ready")));
    Evidence.note("a token added to the file is ready after " + Evidence.millis(joined));
    // The issuing key, its OCSP responder's and the audit key.
    assertThat(metrics()).contains("ca_hsm_keys{hsm=\"b\"} 3.0");
    TRIAL.trial().enroller().enroll("tls-server", csr).is(201);
  }

  @Test
  @Order(2)
  void tokenLost_theOtherIssues_andItIsReadyWhenItIsBack() throws IOException {
    byte[] csr = csr().pemBytes();
    Path original = TRIAL.trial().folder().resolve("away");
    Path place;
    try (Stream<Path> all = Files.list(token().tokens())) {
      place = all.filter(t -> holdsLabel(t, SoftToken.LABEL)).findFirst().orElseThrow();
    }
    Files.move(place, original);
    int issued = 0;
    for (int i = 0; i < WHILE_LOST; i++) {
      issued += TRIAL.trial().enroller().enroll("tls-server", csr).status() == 201 ? 1 : 0;
    }
    Poll.until(
        "a is lost",
        APPLIED_WITHIN,
        () -> {
          // What finds out is a request for its signature; those before may all have gone to b.
          Answer _ = TRIAL.trial().enroller().enroll("tls-server", csr);
          return "token_lost".equals(states().get("a"));
        });
    assertThat(Api.plain(TRIAL.trial().management(0)).get("/actuator/health/readiness").status())
        .isEqualTo(200);

    Files.move(original, place);
    Duration back = Poll.until("a is back", REUSED_WITHIN, () -> "ready".equals(states().get("a")));
    Evidence.note(
        "one of two tokens lost: %d of %d issued at once by the other; it is back after %s"
            .formatted(issued, WHILE_LOST, Evidence.millis(back)));
    // One request may have been in the token when it was lost; recovery ends it.
    assertThat(issued).isGreaterThanOrEqualTo(WHILE_LOST - 1);
  }

  private static boolean holdsLabel(Path token, String label) {
    try {
      return Files.readString(token.resolve("token.object"), StandardCharsets.ISO_8859_1)
          .contains(label);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @Order(3)
  void badFile_changesNothingAndIsCounted() throws IOException {
    String good = Files.readString(file());
    write(file(), good + "- {name: c, pin: 1234}\n");

    Poll.until(
        "the refusal is counted",
        APPLIED_WITHIN,
        () -> metrics().contains("ca_hsm_tokens_file_total{result=\"refused\"} 1.0"));
    assertThat(states()).isEqualTo(Map.of("a", "ready", "b", "ready"));
    assertThat(TRIAL.trial().logs()).contains("the tokens stay as they are");
    write(file(), good);
  }

  @Test
  @Order(4)
  void tokenRemoved_leavesWithItsMetersAndTheOtherIssues() throws IOException {
    List<String> lines = Files.readAllLines(file());
    write(file(), lines.getLast() + "\n");

    Poll.until("a has left", APPLIED_WITHIN, () -> states().equals(Map.of("b", "ready")));
    Poll.until("its meters have left", APPLIED_WITHIN, () -> !metrics().contains("hsm=\"a\""));
    TRIAL.trial().enroller().enroll("tls-server", csr().pemBytes()).is(201);
    Program.Ended status = TRIAL.trial().sluice("status").run().ok();
    assertThat(status.text()).containsPattern("0 +b +ready +closed");
  }
}
