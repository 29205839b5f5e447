package org.sluiceca.client.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.client.output.Failure;

class ProxiesTest {
  private static final URI NODE = URI.create("https://ca.example.com:8443");

  private static Optional<Via> via(Map<String, String> environment, String url) {
    return Proxies.of(environment).via(URI.create(url));
  }

  private static boolean isDirect(String noProxy, String url) {
    return via(Map.of("https_proxy", "proxy:3128", "no_proxy", noProxy), url).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "http://proxy.example.com:3128, proxy.example.com, 3128",
    "HTTP://proxy:3128/, proxy, 3128",
    "proxy:80, proxy, 80",
    "10.0.0.1:8080, 10.0.0.1, 8080",
    "http://[2001:db8::1]:3128, 2001:db8::1, 3128",
  })
  void of_proxies_hostAndPort(String value, String host, int port) {
    assertThat(via(Map.of("https_proxy", value), NODE.toString()))
        .contains(new Via(host, port, null, "https_proxy"));
  }

  @ParameterizedTest
  @CsvSource({
    "http://me:secret@proxy:3128, me:secret",
    "me:s%40c%3Aret+%C3%BC@proxy:3128, me:s@c:ret+\u00fc",
    "me:s@cret@proxy:3128, me:s@cret",
    "me@proxy:3128, me:",
  })
  void of_user_isBasicAndNeverPrinted(String value, String user) {
    Via via = via(Map.of("HTTPS_PROXY", value), NODE.toString()).orElseThrow();

    String basic = Objects.requireNonNull(via.authorization());
    assertThat(Base64.getDecoder().decode(basic.substring("Basic ".length())))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(user);
    assertThat(via.toString() + via.refusal()).doesNotContain("cret", basic.substring(6));
    assertThat(via.toString()).isEqualTo("the proxy proxy:3128 (HTTPS_PROXY)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://proxy",
        "proxy",
        "http://proxy:0",
        "http://proxy:65536",
        "http://proxy:3128/path",
        "http://me:pass/word@proxy:3128",
        "http://me:password%zz@proxy:3128",
        "http://:3128",
        "https://me:password@proxy:3128",
        "socks5://proxy:1080",
        "http://proxy:3128\r\nX: y",
        "://",
      })
  void of_malformed_namesTheVariableAndNoPassword(String value) {
    for (String variable : List.of("https_proxy", "HTTPS_PROXY")) {
      assertThatExceptionOfType(Failure.class)
          .isThrownBy(() -> Proxies.of(Map.of(variable, value)))
          .withMessageStartingWith(variable + " ")
          .satisfies(e -> assertThat(e.exitCode()).isEqualTo(2))
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("pass/", "password%", "me:"));
    }
  }

  @Test
  void of_bothCases_lowerFirst() {
    Map<String, String> environment = new HashMap<>();
    assertThat(via(environment, NODE.toString())).isEmpty();
    environment.put("HTTPS_PROXY", "upper:1");
    environment.put("NO_PROXY", "ca.example.com");
    assertThat(via(environment, NODE.toString())).isEmpty();
    environment.put("no_proxy", "else.example.com");
    environment.put("https_proxy", "");
    assertThat(via(environment, NODE.toString()).map(Via::host)).contains("upper");
    environment.put("https_proxy", "lower:1");
    assertThat(via(environment, NODE.toString()).map(Via::host)).contains("lower");
    environment.put("http_proxy", "other:1");
    environment.remove("https_proxy");
    environment.remove("HTTPS_PROXY");
    assertThat(via(environment, NODE.toString())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://localhost:8443",
        "https://LOCALHOST:8443",
        "https://a.localhost",
        "https://127.0.0.1",
        "https://127.8.9.1",
        "https://[::1]:8443",
        "https://[::ffff:127.0.0.1]",
      })
  void via_loopback_isDirect(String url) {
    assertThat(isDirect("", url)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "* | https://ca.example.com",
        "ca.example.com | https://ca.example.com:8443",
        "a,example.com , b | https://ca.example.com:8443",
        "a .example.com | https://ca.example.com",
        "*.EXAMPLE.com | https://ca.Example.com",
        "example.com. | https://ca.example.com",
        "example.com | https://ca.example.com.",
        "ca.example.com:8443 | https://ca.example.com:8443",
        "ca.example.com:443 | https://ca.example.com",
        "10.1.2.3 | https://10.1.2.3:8443",
        "10.0.0.0/8 | https://10.255.0.1",
        "10.128.0.0/9 | https://10.255.0.1",
        "0.0.0.0/0 | https://192.0.2.1",
        "2001:db8::1 | https://[2001:DB8:0::1]:8443",
        "[2001:db8::1]:8443 | https://[2001:db8::1]:8443",
        "2001:db8::/32 | https://[2001:db8:1::1]",
      })
  void via_namedByNoProxy_isDirect(String noProxy, String url) {
    assertThat(isDirect(noProxy, url)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | https://ca.example.com",
        "xample.com | https://ca.example.com",
        "www.ca.example.com | https://ca.example.com",
        "ca.example.com:8443 | https://ca.example.com",
        "10.0.0.0/8 | https://11.0.0.1",
        "10.128.0.0/9 | https://10.1.0.1",
        "10.0.0.0/8 | https://[2001:db8::1]",
        "10.0.0.0/8 | https://10.example.com",
        "2.3 | https://10.1.2.3",
        "2001:db8::2 | https://[2001:db8::1]",
        "<local> | https://ca.example.com",
      })
  void via_notNamed_isByTheProxy(String noProxy, String url) {
    assertThat(isDirect(noProxy, url)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0/33", "10.0.0.0/x", "example.com/8", "/8", "2001:db8::/129"})
  void of_networkThatIsNone_namesTheVariable(String noProxy) {
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> isDirect(noProxy, NODE.toString()))
        .withMessageContaining("no_proxy has '" + noProxy + "'");
  }
}
