package org.sluiceca.api.validation.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.api.validation.AddressPolicy;
import org.sluiceca.api.validation.PersistTerms;
import org.sluiceca.api.validation.Perspectives;
import org.sluiceca.api.validation.ValidationTerms;

/** Where a redirect may lead. */
class RedirectTest {

  private static final Redirect START = Redirect.first("www.example.org", 80, "/a/b");

  @ParameterizedTest
  @CsvSource({
    "http://other.example.org/x, http://other.example.org/x",
    "HTTP://OTHER.example.org, http://other.example.org/",
    "http://other.example.org:80/x?y=z#part, http://other.example.org/x?y=z",
    "https://other.example.org/x, https://other.example.org/x",
    "https://other.example.org:443/x, https://other.example.org/x",
    "https://other.example.org:8443/x, https://other.example.org:8443/x",
    "/x, http://www.example.org/x",
    "x, http://www.example.org/a/x",
    "//other.example.org/x, http://other.example.org/x",
    "http://10.0.0.1/x, http://10.0.0.1/x",
    "'http://[2001:db8::1]/x', 'http://[2001:db8::1]/x'"
  })
  void to_allowed_followed(String location, String expected) {
    assertThat(START.to(location, terms(80, 8443)).map(to -> to.uri().toString()))
        .contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://other.example.org:81/",
        "http://other.example.org:443/",
        "https://other.example.org:80/",
        "https://other.example.org:8444/",
        "ftp://other.example.org/",
        "file:///etc/passwd",
        "gopher://other.example.org:80/",
        "http://user@other.example.org/",
        "http://user:secret@other.example.org/",
        "http://other_name.example.org/",
        "http://2130706433/",
        "http://127.1/",
        "http://0177.0.0.1/",
        "http://other.example.org./",
        "http://[fe80::1%25eth0]/",
        "http:///x",
        "http:x",
        "http://other.example.org:99999999999/",
        "http://a b/",
        "http://other.example.org/ x",
        "\u0000"
      })
  void to_refused_empty(String location) {
    assertThat(START.to(location, terms(80, 443))).isEmpty();
  }

  @Test
  void to_longLocation_empty() {
    assertThat(START.to("/" + "x".repeat(2_047), terms(80, 443))).isPresent();
    assertThat(START.to("/" + "x".repeat(2_048), terms(80, 443))).isEmpty();
  }

  @Test
  void first_otherPortAndVersion6_named() {
    assertThat(Redirect.first("2001:db8::1", 5002, "/x").uri().toString())
        .isEqualTo("http://[2001:db8::1]:5002/x");
    assertThat(START.to("http://other.example.org/", terms(5002, 443))).isEmpty();
    assertThat(START.to("http://other.example.org:5002/", terms(5002, 443))).isPresent();
  }

  private static ValidationTerms terms(int httpPort, int tlsPort) {
    return new ValidationTerms(
        List.of(),
        false,
        httpPort,
        tlsPort,
        AddressPolicy.of(AddressPolicy.Scope.PRIVATE),
        PersistTerms.none(),
        ValidationTerms.DEADLINE,
        Perspectives.none());
  }
}
