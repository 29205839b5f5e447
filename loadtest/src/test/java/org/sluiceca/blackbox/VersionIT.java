package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Wherever the version of the software is shown, it is that of pom.xml. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class VersionIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static String version;

  @BeforeAll
  static void readPom() {
    version = found("(?m)^  <version>(.*)</version>$", Checkout.text("pom.xml"));
  }

  private static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern).isTrue();
    return matcher.group(1);
  }

  @Test
  void version_ofTheClient_isThePoms() {
    Program.Ended ended = Program.of(Checkout.launcher(), "--version").run().ok();

    assertThat(ended.text().strip()).isEqualTo("sluice " + version);
  }

  @Test
  void version_ofREST_isThePoms() {
    JsonNode capacity = TRIAL.trial().enroller().get("/v1/capacity").is(200).json();

    assertThat(capacity.path("version").asString()).isEqualTo(version);
  }

  @Test
  void version_ofMetrics_isThePoms() {
    String metrics =
        Api.plain(TRIAL.trial().management(0)).get("/actuator/prometheus").is(200).text();

    assertThat(found("(?m)^(ca_node_version\\{.*\\} 1.0)$", metrics))
        .contains("version=\"" + version + "\"", "java=\"");
  }

  /** From the first line on: which version a line is from is seen on each. */
  @Test
  void version_ofTheLog_isThePoms_onEachLineSinceTheStart() {
    assertThat(TRIAL.trial().read("node-0.log").lines().filter(l -> l.startsWith("{")).limit(10))
        .hasSize(10)
        .allSatisfy(
            line ->
                assertThat(JsonMapper.shared().readTree(line).at("/service/version").asString())
                    .isEqualTo(version))
        .first()
        .asString()
        .contains("Starting CaApplication v" + version + " using Java ");
  }
}
