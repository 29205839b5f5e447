package org.sluiceca.api.acme.endpoint.administration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.acme.endpoint.EndpointFiles;

class EndpointTermsTest {

  private static final String FULL =
      """
      name: internal
      protocol: acme
      version: 3
      profiles: [tls-server, short-lived]
      external-account-binding: none
      requester: web
      any-name: true
      challenges:
        methods: [http-01, dns-persist-01]
        names: [b.test, "*.a.test"]
        ip-addresses: true
        resolvers: [192.0.2.53, "[2001:db8::53]:5353"]
        resolvers-agree: true
        addresses: public
        networks: [10.0.0.0/8]
        http-port: 81
        tls-port: 444
        deadline-seconds: 20
        issuer-domain-names: [ca.corp.example]
        clear-account-uris: false
        perspectives:
          - {name: near, resolvers: [192.0.2.54, "192.0.2.57:5353"], source-address: 192.0.2.2}
          - {name: far, resolvers: [192.0.2.55], source-address: 192.0.2.1}
        perspectives-agree: 1
      """;

  private static Map<String, String> terms(String yaml) {
    return EndpointTerms.of(EndpointFiles.parse(yaml.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void of_everyKey_inTheWordsOfTheFile() {
    assertThat(terms(FULL))
        .containsExactly(
            Map.entry("profiles", "tls-server, short-lived"),
            Map.entry("external-account-binding", "none"),
            Map.entry("requester", "web"),
            Map.entry("any-name", "true"),
            Map.entry("challenges.methods", "http-01, dns-persist-01"),
            Map.entry("challenges.names", "*.a.test, b.test"),
            Map.entry("challenges.ip-addresses", "true"),
            Map.entry("challenges.resolvers", "192.0.2.53:53, [2001:db8:0:0:0:0:0:53]:5353"),
            Map.entry("challenges.resolvers-agree", "true"),
            Map.entry("challenges.addresses", "public"),
            Map.entry("challenges.networks", "10.0.0.0/8"),
            Map.entry("challenges.http-port", "81"),
            Map.entry("challenges.tls-port", "444"),
            Map.entry("challenges.deadline-seconds", "20"),
            Map.entry("challenges.issuer-domain-names", "ca.corp.example"),
            Map.entry("challenges.clear-account-uris", "false"),
            Map.entry(
                "challenges.perspectives",
                "near: 192.0.2.54:53, 192.0.2.57:5353 from 192.0.2.2;"
                    + " far: 192.0.2.55:53 from 192.0.2.1"),
            Map.entry("challenges.perspectives-agree", "1"));
  }

  @Test
  void of_perspectiveWithoutSourceAddress_itsResolversAlone() {
    String byNames =
        FULL.replace("ip-addresses: true", "ip-addresses: false")
            .replace(", source-address: 192.0.2.2", "");

    assertThat(terms(byNames).get("challenges.perspectives"))
        .isEqualTo("near: 192.0.2.54:53, 192.0.2.57:5353; far: 192.0.2.55:53 from 192.0.2.1");
  }

  /** A key that has no term would change an endpoint unseen. */
  @Test
  void of_eachLineOfTheFileChanged_showsIt() {
    Map.ofEntries(
            Map.entry("[tls-server, short-lived]", "[short-lived, tls-server]"),
            Map.entry("requester: web", "requester: other"),
            Map.entry("any-name: true", "any-name: false"),
            Map.entry("[http-01, dns-persist-01]", "[dns-persist-01]"),
            Map.entry("b.test", "c.test"),
            Map.entry("ip-addresses: true", "ip-addresses: false"),
            Map.entry("192.0.2.53,", "192.0.2.52,"),
            Map.entry("resolvers-agree: true", "resolvers-agree: false"),
            Map.entry("addresses: public", "addresses: private"),
            Map.entry("10.0.0.0/8", "10.0.0.0/9"),
            Map.entry("http-port: 81", "http-port: 82"),
            Map.entry("tls-port: 444", "tls-port: 445"),
            Map.entry("deadline-seconds: 20", "deadline-seconds: 21"),
            Map.entry("ca.corp.example", "other.corp.example"),
            Map.entry("clear-account-uris: false", "clear-account-uris: true"),
            Map.entry("name: near", "name: close"),
            Map.entry("192.0.2.54,", "192.0.2.56,"),
            Map.entry("source-address: 192.0.2.1", "source-address: 192.0.2.3"),
            Map.entry("perspectives-agree: 1", "perspectives-agree: 2"))
        .forEach(
            (old, fresh) ->
                assertThat(terms(FULL.replace(old, fresh))).as(fresh).isNotEqualTo(terms(FULL)));
  }
}
