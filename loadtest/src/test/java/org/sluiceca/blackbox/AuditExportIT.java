package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An auditor exports the trail over REST and verifies the file, with nothing but a token. */
@ResourceLock(value = TrialExtension.TWO_NODES, mode = READ)
class AuditExportIT {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String AUDIT = "/v1/audit";
  private static final Pattern NEXT = Pattern.compile("<([^>]+)>; rel=\"next\"");
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedPair();

  private static Api auditor() {
    Api admin = TRIAL.trial().api(0, "admin");
    JsonNode registered =
        admin
            .postJson(
                "/v1/credentials",
                Map.of("requester", "auditor", "roles", List.of("AUDITOR"), "days", 1))
            .is(201)
            .json();
    return TRIAL
        .trial()
        .api(1, "admin")
        .anonymous()
        .with(Api.bearer(registered.path("token").asString()));
  }

  private static Program.Ended audit(String... words) {
    return TRIAL
        .trial()
        .sluice(Stream.concat(Stream.of("audit"), Stream.of(words)).toArray(String[]::new))
        .within(LIMIT)
        .run();
  }

  private static Path key() {
    return TRIAL.trial().data().resolve("audit.pem");
  }

  private static Program.Ended verify(List<String> lines) {
    try {
      Path file = Files.createTempFile(TRIAL.trial().folder(), "planted", ".ndjson");
      Files.write(file, lines);
      return audit("verify", "--key", key().toString(), file.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertFound(List<String> lines, String finding) {
    Program.Ended ended = verify(lines);
    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.text()).contains(finding);
  }

  @Test
  void auditor_readsEveryPageAndMayDoNothingElse() {
    Api auditor = auditor();
    List<JsonNode> lines = new ArrayList<>();
    String path = AUDIT;
    while (!path.isEmpty()) {
      Answer page = auditor.get(path).is(200);
      assertThat(page.mediaType()).isEqualTo("application/x-ndjson");
      page.text().lines().map(JSON::readTree).forEach(lines::add);
      Matcher next = NEXT.matcher(page.header("Link"));
      path = next.find() ? next.group(1) : "";
    }

    assertThat(lines)
        .extracting(line -> line.path("kind").asString())
        .contains("node.started", "ceremony.ended", "credential.register");
    auditor.get("/v1/certificates").is(200);
    auditor.get("/v1/credentials").isProblem(403, "/forbidden");
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "auditor.example.com");
    auditor.enroll("tls-server", csr.pemBytes()).isProblem(403, "/forbidden");
    auditor.get(AUDIT + "?kind=no.such").isProblem(400, "/malformed-request");
    auditor.get(AUDIT + "?after=r1").isProblem(400, "/malformed-request");
    assertThat(auditor.get(AUDIT + "?kind=node.stopped&after=r0.").is(200).text())
        .doesNotContain("node.started");
  }

  @Test
  void others_mayNotReadIt() {
    TRIAL.trial().enroller().get(AUDIT).isProblem(403, "/forbidden");
    TRIAL.trial().enroller().anonymous().get(AUDIT).isProblem(401, "/unauthenticated");
    auditor().delete(AUDIT).is(405);
  }

  @Test
  void export_verifiedOffline_andEachPlantedFaultNamed() throws Exception {
    Path file = TRIAL.trial().folder().resolve("trail.ndjson");
    audit("export", "--out", file.toString()).ok();
    assertThat(audit("verify", "--key", key().toString(), file.toString()).ok().text())
        .endsWith(": ok\n");
    List<String> lines = Files.readAllLines(file);
    JsonNode started =
        lines.stream()
            .map(JSON::readTree)
            .filter(line -> line.path("kind").asString().equals("node.started"))
            .findFirst()
            .orElseThrow();
    int at =
        lines.indexOf(
            lines.stream().filter(l -> l.contains("node.started")).findFirst().orElseThrow());
    String row =
        "chain %s row %d: "
            .formatted(started.path("chain").asString(), started.path("sequence").asLong());

    List<String> changed = new ArrayList<>(lines);
    changed.set(at, lines.get(at).replace("node.started", "node.stopped"));
    assertFound(changed, row + "changed");
    List<String> removed = new ArrayList<>(lines);
    removed.remove(at);
    assertFound(removed, row + "missing");
    List<String> swapped = new ArrayList<>(lines);
    Collections.swap(swapped, at, at + 1);
    assertFound(swapped, row + "out of order");
    assertFound(lines.subList(0, lines.size() - 1), "the file has no end");
  }
}
