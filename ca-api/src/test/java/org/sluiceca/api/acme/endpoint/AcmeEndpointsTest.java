package org.sluiceca.api.acme.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    return AcmeEndpoints.read(folder);
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
    "external-account-binding: required, external-account-binding: none, must be required",
    "'profiles: [tls-server, short-lived]', 'profiles: []', 1 to 100 profiles",
    "'profiles: [tls-server, short-lived]', 'profiles: [TLS]', names of profiles",
    "protocol: acme, 'protocol: acme\nextra: 1', extra",
  })
  void read_bad_isRefusedByFileAndFault(String good, String bad, String said) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(GOOD.replace(good, bad)))
        .withMessageContaining("internal.yaml")
        .withMessageContaining(said);
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
        .isThrownBy(() -> AcmeEndpoints.read(folder.resolve("missing")));
  }
}
