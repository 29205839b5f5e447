package org.sluiceca.api.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.registration.name.Identifier;

/** What challenges, terms and verdicts accept. */
class ValuesTest {

  private static final Identifier NAME = new Identifier.Dns("www.example.org");
  private static final Identifier ADDRESS = new Identifier.Ip(InetAddress.ofLiteral("10.0.0.1"));

  /** A socket that times out after what is left has no time left. */
  @Test
  void timeLimit_left_endsNoEarlierThanTheLimit() {
    for (int i = 0; i < 1_000; i++) {
      TimeLimit limit = TimeLimit.after(Duration.ofNanos(5_500_000 + i));
      long left = limit.left().toNanos();
      assertThat(System.nanoTime() + left).isGreaterThanOrEqualTo(limit.deadline().atNanos());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_01, true, false, true",
    "TLS_ALPN_01, true, false, true",
    "DNS_01, true, true, false",
    "DNS_PERSIST_01, true, true, false"
  })
  void proves_nameWildcardAddress(Method method, boolean name, boolean wildcard, boolean address) {
    assertThat(method.proves(NAME, false)).isEqualTo(name);
    assertThat(method.proves(NAME, true)).isEqualTo(wildcard);
    assertThat(method.proves(ADDRESS, false)).isEqualTo(address);
    assertThat(method.proves(ADDRESS, true)).isFalse();
    assertThat(Method.parse(method.text())).contains(method);
  }

  @Test
  void challenge_methodThatCannotProveIt_rejected() {
    challenge(Method.HTTP_01, NAME, false, "token");

    assertRejected(() -> challenge(Method.HTTP_01, NAME, true, "token"));
    assertRejected(() -> challenge(Method.DNS_01, ADDRESS, false, "token"));
    assertRejected(
        () -> challenge(Method.DNS_01, new Identifier.Dns("*.example.org"), true, "token"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../x", "a/b", "a.b", "a b", "a\n", "\u00e4"})
  void challenge_tokenOfOtherLetters_rejected(String token) {
    assertRejected(() -> challenge(Method.HTTP_01, NAME, false, token));
  }

  @Test
  void challenge_keyAuthorizationOfAnotherToken_rejected() {
    assertRejected(
        () ->
            new Challenge(
                Method.HTTP_01,
                NAME,
                false,
                "one",
                "other.thumb",
                new Challenge.Account("", "", List.of())));
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1, 53",
    "192.0.2.1:5353, 192.0.2.1, 5353",
    "2001:db8::1, 2001:db8:0:0:0:0:0:1, 53",
    "[2001:db8::1], 2001:db8:0:0:0:0:0:1, 53",
    "[2001:db8::1]:5353, 2001:db8:0:0:0:0:0:1, 5353"
  })
  void resolver_addressAndPort_read(String text, String address, int port) {
    var resolver = ValidationTerms.resolver(text);

    assertThat(resolver.getAddress().getHostAddress()).isEqualTo(address);
    assertThat(resolver.getPort()).isEqualTo(port);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "192.0.2.1:",
        "192.0.2.1:0",
        "192.0.2.1:65536",
        "192.0.2.1:053",
        "192.0.2",
        "192.0.2.256",
        "[2001:db8::1",
        "[192.0.2.1]:53",
        "2001:db8::1%eth0",
        "192.0.2.1:53 "
      })
  void resolver_otherForm_rejected(String text) {
    assertRejected(() -> ValidationTerms.resolver(text));
  }

  @Test
  void terms_outOfRange_rejected() {
    assertThat(terms(80, 443, Duration.ofSeconds(10)).resolvers()).isEmpty();

    assertRejected(() -> terms(0, 443, Duration.ofSeconds(10)));
    assertRejected(() -> terms(80, 65_536, Duration.ofSeconds(10)));
    assertRejected(() -> terms(80, 443, Duration.ofMillis(999)));
    assertRejected(() -> terms(80, 443, Duration.ofSeconds(61)));
    assertRejected(() -> new PersistTerms(List.of("CA.example.org"), true, false));
    assertRejected(() -> new PersistTerms(Collections.nCopies(11, "ca.example.org"), true, false));
  }

  @Test
  void failed_detail_oneBoundedLineOfAscii() {
    var failed =
        new Verdict.Failed(
            Verdict.Kind.DNS, "a\nb\u001b[1m\u00e4" + "x".repeat(Verdict.DETAIL_MAX));

    assertThat(failed.detail()).startsWith("a?b?[1m?x").hasSize(Verdict.DETAIL_MAX);
  }

  private static Challenge challenge(
      Method method, Identifier identifier, boolean wildcard, String token) {
    return new Challenge(
        method,
        identifier,
        wildcard,
        token,
        token + ".thumb",
        new Challenge.Account("https://ca.example.org/account/1", "", List.of()));
  }

  private static ValidationTerms terms(int httpPort, int tlsPort, Duration deadline) {
    return new ValidationTerms(
        List.of(),
        false,
        httpPort,
        tlsPort,
        AddressPolicy.of(AddressPolicy.Scope.PRIVATE),
        PersistTerms.none(),
        deadline,
        Perspectives.none());
  }

  private static void assertRejected(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable callable) {
    assertThatThrownBy(callable).isInstanceOf(IllegalArgumentException.class);
  }
}
