package org.sluiceca.api.acme.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.api.validation.Method;
import org.sluiceca.api.validation.Perspectives;
import org.sluiceca.api.validation.Perspectives.Perspective;
import org.sluiceca.core.registration.name.Identifier;

class AcmeEndpointsTest {

  private static final String GOOD =
      """
      name: internal
      protocol: acme
      profiles: [tls-server, short-lived]
      external-account-binding: required
      """;

  @TempDir private Path folder;

  private AcmeEndpoints read(String yaml) throws Exception {
    Files.writeString(folder.resolve("internal.yaml"), yaml);
    return new AcmeEndpoints(EndpointFiles.read(folder).endpoints());
  }

  @Test
  void read_good_isThere() throws Exception {
    AcmeEndpoint endpoint = read(GOOD).find("internal").orElseThrow();

    assertThat(endpoint.allowsAnyName()).isFalse();
    assertThat(endpoint.profile(null).orElseThrow().value()).isEqualTo("tls-server");
    assertThat(endpoint.profile("short-lived")).isPresent();
    assertThat(endpoint.profile("device")).isEmpty();
    assertThat(read(GOOD + "any-name: true\n").find("internal").orElseThrow().allowsAnyName())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "name: internal, name: Internal, name must be",
    "protocol: acme, protocol: est, protocol must be acme",
    "external-account-binding: required, external-account-binding: maybe, required or none",
    "external-account-binding: required, external-account-binding: none, whose share",
    "external-account-binding: required, 'external-account-binding: none\nrequester: web', anyone",
    "external-account-binding: required, 'external-account-binding: required\nrequester: web', no place",
    "'profiles: [tls-server, short-lived]', 'profiles: []', 1 to 100 profiles",
    "'profiles: [tls-server, short-lived]', 'profiles: [TLS]', names of profiles",
    "protocol: acme, 'protocol: acme\nextra: 1', extra",
    "protocol: acme, 'protocol: acme\nversion: two', 'key version must be a whole number, not two'",
    "protocol: acme, 'protocol: acme\nversion: 2.7', 'whole number, not 2.7'",
    "protocol: acme, 'protocol: acme\nany-name: 1', 'true or false, not 1'",
    "'profiles: [tls-server, short-lived]', 'profiles: [tls-server, null]', 'profiles[2] must be'",
    "'profiles: [tls-server, short-lived]', 'profiles:\n  -', 'profiles[1] must be a text'",
    "'profiles: [tls-server, short-lived]', profiles: tls-server, 'must be a list, such as'",
    "'profiles: [tls-server, short-lived]', 'profiles: [[tls-server]]', 'profiles[1] must be'",
    "'profiles: [tls-server, short-lived]', 'profiles:', profiles has no value",
    "'profiles: [tls-server, short-lived]', 'profile: [a]', did you mean profiles?",
    "protocol: acme, challenges: acme, section with keys",
    "name: internal, name: 7, 'text, in quotes if it looks like a number, not 7'",
    "protocol: acme, 'protocol: acme\nprotocol: acme', stands twice",
    "protocol: acme, 'protocol: \"acme', no YAML",
    "protocol: acme, protocol: [], key protocol must be a text",
  })
  void read_bad_isRefusedByFileAndFault(String good, String bad, String said) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(GOOD.replace(good, bad)))
        .withMessageContaining("internal.yaml")
        .withMessageContaining(said);
  }

  private static final String CHALLENGES =
      """
      name: internal
      protocol: acme
      profiles: [tls-server]
      external-account-binding: none
      requester: web
      challenges:
        methods: [http-01, tls-alpn-01, dns-01]
        names: ["*.corp.example"]
        resolvers: [192.0.2.53, "[2001:db8::53]:5353"]
        networks: [10.0.0.0/8]
      """;

  @Test
  void read_challenges_methodsByName() throws Exception {
    AcmeEndpoint endpoint = read(CHALLENGES).find("internal").orElseThrow();
    Proofs proofs = endpoint.proofs().orElseThrow();

    assertThat(endpoint.owner()).map(Object::toString).contains("web");
    assertThat(proofs.terms().resolvers()).hasSize(2);
    assertThat(proofs.of(new Identifier.Dns("a.corp.example"))).hasSize(3);
    assertThat(proofs.of(new Identifier.Dns("*.corp.example"))).containsExactly(Method.DNS_01);
    assertThat(proofs.of(new Identifier.Dns("corp.example"))).isEmpty();
    assertThat(proofs.of(Identifier.parse("ip", "10.0.0.1").orElseThrow())).isEmpty();
    assertThat(
            read(CHALLENGES + "  ip-addresses: true\n")
                .find("internal")
                .flatMap(AcmeEndpoint::proofs)
                .orElseThrow()
                .of(Identifier.parse("ip", "10.0.0.1").orElseThrow()))
        .containsExactly(Method.HTTP_01, Method.TLS_ALPN_01);
  }

  @ParameterizedTest
  @CsvSource({
    "dns-01, dns-02, not dns-02",
    "dns-01, dns-persist-01, issuer-domain-names",
    "10.0.0.0/8, 10.0.0.1/8, bits behind its prefix",
    "192.0.2.53, ns.corp.example, ns.corp.example",
    "*.corp.example, '*.*.example', no pattern",
    "'networks: [10.0.0.0/8]', addresses: all, not all",
    "'networks: [10.0.0.0/8]', 'networks: [null]', 'challenges.networks[1] must be a text, not null'",
    "192.0.2.53, null, 'challenges.resolvers[1] must be'",
    "'networks: [10.0.0.0/8]', http-port: 0, port",
    "'networks: [10.0.0.0/8]', deadline-seconds: 600, deadline",
    "dns-01, null, 'challenges.methods[3] must be a text, not null'",
    "'networks: [10.0.0.0/8]', 'networks:\n      -', 'challenges.networks[1] must be'",
    "'networks: [10.0.0.0/8]', 'resolvers-agree: yes', true or false",
    "'networks: [10.0.0.0/8]', 'network: [10.0.0.0/8]', did you mean networks?",
  })
  void read_badChallenges_isRefusedByFileAndFault(String good, String bad, String said) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(CHALLENGES.replace(good, bad)))
        .withMessageContaining("internal.yaml")
        .withMessageContaining(said);
  }

  /** Clients of the earlier drafts stay in service unless the file ends it. */
  @Test
  void read_clearAccountUris_unlessTheFileSaysNo() throws Exception {
    String persist = CHALLENGES + "  issuer-domain-names: [ca.example]\n";
    for (boolean isClear : new boolean[] {true, false}) {
      assertThat(
              read(persist + (isClear ? "" : "  clear-account-uris: false\n"))
                  .find("internal")
                  .flatMap(AcmeEndpoint::proofs)
                  .orElseThrow()
                  .terms()
                  .persist()
                  .clearAccountUri())
          .isEqualTo(isClear);
    }
  }

  private static final String PERSPECTIVES =
      CHALLENGES
          + """
              perspectives:
                - name: near
                  resolvers: [192.0.2.54]
                - name: far
                  resolvers: [127.0.0.1]
                  source-address: 127.0.0.2
              perspectives-agree: 1
          """
              .indent(-2);

  @Test
  void read_perspectives() throws Exception {
    Perspectives perspectives =
        read(PERSPECTIVES)
            .find("internal")
            .flatMap(AcmeEndpoint::proofs)
            .orElseThrow()
            .terms()
            .perspectives();

    assertThat(perspectives.agree()).isEqualTo(1);
    assertThat(perspectives.all()).extracting(Perspective::name).containsExactly("near", "far");
    assertThat(perspectives.all().getLast().source().orElseThrow().getHostAddress())
        .isEqualTo("127.0.0.2");
    assertThat(
            read(PERSPECTIVES.replaceAll(" *perspectives-agree: 1\n", ""))
                .find("internal")
                .flatMap(AcmeEndpoint::proofs)
                .orElseThrow()
                .terms()
                .perspectives()
                .agree())
        .isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "name: far, name: near, two perspectives have the name near",
    "name: far, name: Far, name of a perspective must be",
    "name: far, title: far, 'no key challenges.perspectives[2].title'",
    "name: far, name: 7, 'challenges.perspectives[2].name must be a text'",
    "'resolvers: [192.0.2.54]', 'resolvers: [192.0.2.54, null]', 'perspectives[1].resolvers[2] must'",
    "'- name: near\n      resolvers: [192.0.2.54]', '- near', 'perspectives[1] must be a section'",
    "'- name: near\n      resolvers: [192.0.2.54]', '-', 'perspectives[1] must be a section'",
    "'resolvers: [192.0.2.54]', 'resolvers: []', near needs 1 to 8 resolvers",
    "'resolvers: [192.0.2.54]', 'resolvers: [192.0.2.53, \"[2001:db8::53]:5353\"]', sees the same",
    "'resolvers: [192.0.2.54]', 'resolvers: [\"[2001:db8::53]:5353\", 192.0.2.53, 192.0.2.53]', sees the same",
    "'resolvers: [192.0.2.54]', 'resolvers: [127.0.0.1]\n      source-address: 127.0.0.2', have the same",
    "source-address: 127.0.0.2, source-address: host, not host",
    "source-address: 127.0.0.2, source-address: 0.0.0.0, one address of this host",
    "source-address: 127.0.0.2, source-address: 192.0.2.1, not an address of this host",
    "source-address: 127.0.0.2, 'source-address: \"::1\"', of the IP version",
    "perspectives-agree: 1, perspectives-agree: 0, 1 to 2",
    "perspectives-agree: 1, perspectives-agree: 3, 1 to 2",
    "perspectives-agree: 1, deadline-seconds: 41, at most 40 s",
  })
  void read_badPerspectives_isRefusedByFileAndFault(String good, String bad, String said) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(PERSPECTIVES.replace(good, bad)))
        .withMessageContaining("internal.yaml")
        .withMessageContaining(said);
  }

  /** No resolver is asked about an address: such a perspective sees what the node sees. */
  @Test
  void read_ipAddressesAndAPerspectiveWithoutSourceAddress_isRefused() throws Exception {
    String withAddresses = PERSPECTIVES + "  ip-addresses: true\n";

    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(withAddresses))
        .withMessageContaining("internal.yaml")
        .withMessageContaining("perspective near needs a source-address");
    assertThat(read(withAddresses.replace("http-01, tls-alpn-01, ", "")).find("internal"))
        .isPresent();
    assertThat(
            read(withAddresses.replace(
                    "resolvers: [192.0.2.54]",
                    "resolvers: [192.0.2.54]\n      source-address: 127.0.0.1"))
                .find("internal"))
        .isPresent();
  }

  @Test
  void read_tooManyPerspectives_isRefused() {
    StringBuilder many = new StringBuilder(CHALLENGES).append("  perspectives:\n");
    for (int i = 0; i <= Perspectives.MAX; i++) {
      many.append("    - {name: p" + i + ", resolvers: [10.0.0." + i + "]}\n");
    }

    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(many.toString()))
        .withMessageContaining("at most 8 perspectives");
  }

  /** An alias would be read as a text, its own name. */
  @Test
  void read_alias_isRefused_andAnAsteriskInQuotesIsNone() throws Exception {
    String named = GOOD.replace("name: internal", "name: &own internal");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(named + "requester: *own\n"))
        .withMessageContaining("line 5: *own is an alias");
    assertThat(read(CHALLENGES.replace("\"*.corp.example\"", "'*.corp.example'")).find("internal"))
        .isPresent();
  }

  @Test
  void read_severalFaults_allAtOnce() {
    String file =
        CHALLENGES
            .replace("name: internal", "name: Internal")
            .replace("protocol: acme", "protocol: est\nversion: two\nextra: 1")
            .replace("http-01,", "http-02,")
            .replace("10.0.0.0/8", "10.0.0.1/8")
            .replace("192.0.2.53", "ns.corp.example");

    assertThatExceptionOfType(InvalidEndpoint.class)
        .isThrownBy(() -> EndpointFiles.parse(file.getBytes(StandardCharsets.UTF_8)))
        .satisfies(
            invalid ->
                assertThat(invalid.faults())
                    .hasSize(7)
                    .allMatch(fault -> fault.lines().count() == 1)
                    .anyMatch(fault -> fault.contains("name must be"))
                    .anyMatch(fault -> fault.contains("protocol must be acme"))
                    .anyMatch(fault -> fault.contains("version"))
                    .anyMatch(fault -> fault.contains("extra"))
                    .anyMatch(fault -> fault.contains("http-02"))
                    .anyMatch(fault -> fault.contains("prefix"))
                    .anyMatch(fault -> fault.contains("ns.corp.example")));
  }

  @Test
  void read_moreFaultsThanAnyoneReads_isCutShort() {
    StringBuilder file = new StringBuilder(GOOD);
    for (int i = 0; i < 2_000; i++) {
      file.append("k").append(i).append(": 1\n");
    }

    assertThatExceptionOfType(InvalidEndpoint.class)
        .isThrownBy(() -> EndpointFiles.parse(file.toString().getBytes(StandardCharsets.UTF_8)))
        .satisfies(
            invalid -> assertThat(String.join("", invalid.faults()).length()).isLessThan(10_000));
  }

  @Test
  void read_twoOfOneName_isRefused() throws Exception {
    Files.writeString(folder.resolve("a.yaml"), GOOD);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(GOOD))
        .withMessageContaining("internal");
  }

  @Test
  void read_nothing_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(""))
        .withMessageContaining("internal.yaml");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EndpointFiles.read(folder.resolve("missing")));
  }
}
