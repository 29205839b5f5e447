package org.sluiceca.api.acme.endpoint;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.der.Mutations;

/** The fuzz target over a full file, damaged by seed, and over what breaks YAML parsers. */
@Timeout(60)
class EndpointFileFuzzTest {

  private static final String FULL =
      """
      name: internal
      protocol: acme
      version: 3
      profiles: [tls-server, short-lived]
      external-account-binding: none
      requester: web
      any-name: false
      challenges:
        methods: [http-01, tls-alpn-01, dns-01, dns-persist-01]
        names: ["*.corp.example"]
        ip-addresses: true
        resolvers: [192.0.2.53, "[2001:db8::53]:5353"]
        resolvers-agree: true
        addresses: private
        networks: [10.0.0.0/8]
        deadline-seconds: 20
        issuer-domain-names: [ca.corp.example]
        clear-account-uris: false
        perspectives:
          - name: near
            resolvers: [192.0.2.54]
            source-address: 192.0.2.1
        perspectives-agree: 1
      """;

  private static void assertHolds(String yaml) {
    byte[] octets = yaml.getBytes(StandardCharsets.UTF_8);
    assertThatCode(() -> EndpointFileFuzz.fuzzerTestOneInput(octets))
        .as(yaml.substring(0, Math.min(yaml.length(), 400)))
        .doesNotThrowAnyException();
  }

  @Test
  void target_fullFileWithSeededDamage_holds() {
    byte[] yaml = FULL.getBytes(StandardCharsets.UTF_8);
    assertThatCode(() -> EndpointFiles.parse(yaml)).doesNotThrowAnyException();
    for (long seed = 1; seed <= 1_000; seed++) {
      byte[] mutant = Mutations.of(yaml, new SplittableRandom(seed));
      assertThatCode(() -> EndpointFileFuzz.fuzzerTestOneInput(mutant))
          .as("seed %d", seed)
          .doesNotThrowAnyException();
    }
  }

  /** Each key with nothing, with null in a list, and with a value of each other kind. */
  @Test
  void target_everyKeyWithAnotherKindOfValue_holds() {
    List<String> lines = FULL.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      for (String value :
          List.of("", " [null]", " [[]]", " {}", " 1.5", " true", " ''", " [1, '']")) {
        List<String> changed = new ArrayList<>(lines);
        changed.set(i, lines.get(i).replaceFirst(":.*", ":" + value));
        assertHolds(String.join("\n", changed));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "- a",
        "name",
        "name: [",
        "a: &a [*a]",
        "a: &a {b: *a}",
        "? {a: b}\n: c",
        "%YAML 9.9\n---\na: b",
        "---\n...\n---\n",
        "name: a\n---\nname: b",
        "!!java.net.URL [\"http://a.test\"]",
        "name: !!binary AAAA",
        "name: a\nname: a",
        "challenges: {names: [a.test], names: [b.test]}",
        "version: 99999999999999999999",
        "version: 0x10",
        "version: -1",
        "challenges: {http-port: 2147483648}",
        "challenges: {deadline-seconds: -2147483648}",
        "\u0000",
        "\ufeffname: a"
      })
  void target_yamlThatIsNoEndpoint_holds(String yaml) {
    assertHolds(yaml);
  }

  @Test
  void target_deepWideAndHugeYaml_holds() {
    for (String yaml :
        List.of(
            "[".repeat(50_000),
            "a: ".repeat(20_000),
            "{a: ".repeat(20_000),
            "challenges: " + "{challenges: ".repeat(400) + "}".repeat(400),
            "a: &a [1]\nb: [" + "*a,".repeat(20_000) + "]",
            // Each further level of ten aliases would make ten times as many elements.
            """
            a0: &a0 [x]
            a1: &a1 [*a0,*a0,*a0,*a0,*a0,*a0,*a0,*a0,*a0,*a0]
            profiles: [*a1,*a1,*a1,*a1,*a1,*a1,*a1,*a1,*a1,*a1]
            """,
            "name: " + "a".repeat(5_000_000),
            FULL.replace("[10.0.0.0/8]", "[" + "10.0.0.0/8, ".repeat(20_000) + "]"),
            FULL.replace("\"*.corp.example\"", "a.test, ".repeat(20_000)),
            FULL.replace("dns-01", "x".repeat(60_000)))) {
      assertHolds(yaml);
    }
  }
}
