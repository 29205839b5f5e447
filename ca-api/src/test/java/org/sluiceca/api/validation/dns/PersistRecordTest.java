package org.sluiceca.api.validation.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of a record of dns-persist-01, and its hashed account. */
class PersistRecordTest {

  private static final String ACCOUNT = "accounturi=https://ca.example/acct/123";

  @Test
  void parse_eachParameter_read() {
    PersistRecord record =
        PersistRecord.parse(
                " Authority.Example. ;\t" + ACCOUNT + " ; policy=WILDCARD;persistUntil=1721952000")
            .orElseThrow();

    assertThat(record.issuerDomainName()).isEqualTo("authority.example");
    assertThat(record.accountUri()).isEqualTo("https://ca.example/acct/123");
    assertThat(record.isWildcard()).isTrue();
    assertThat(record.until()).contains(Instant.parse("2024-07-26T00:00:00Z"));
  }

  @Test
  void parse_unknownParametersAndPolicies_ignored() {
    PersistRecord record =
        PersistRecord.parse("authority.example; " + ACCOUNT + ";policy=all; x-y=1;z=")
            .orElseThrow();

    assertThat(record.isWildcard()).isFalse();
    assertThat(record.until()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ";",
        "authority.example",
        "authority.example; policy=wildcard",
        "authority..example; accounturi=a",
        "-authority.example; accounturi=a",
        "authority example; accounturi=a",
        "; accounturi=a",
        "authority.example; accounturi=a;",
        "authority.example;; accounturi=a",
        "authority.example; accounturi=a b",
        "authority.example; accounturi=a; accounturi=b",
        "authority.example; accounturi=a; AccountUri=a",
        "authority.example; accounturi",
        "authority.example; accounturi=a; =b",
        "authority.example; accounturi=a; -x=b",
        "authority.example; accounturi=a; persistUntil=",
        "authority.example; accounturi=a; persistUntil=soon",
        "authority.example; accounturi=a; persistUntil=-1",
        "authority.example; accounturi=a; persistUntil=0x10",
        "authority.example; accounturi=a; persistUntil=1e9",
        "authority.example; accounturi=a; persistUntil=1721952000000000000000",
        "authority.example; accounturi=\u00e4"
      })
  void parse_malformed_empty(String text) {
    assertThat(PersistRecord.parse(text)).isEmpty();
  }

  @Test
  void parse_endAfterTheCalendar_kept() {
    assertThat(PersistRecord.parse("a.b;accounturi=a;persistUntil=999999999999999999"))
        .hasValueSatisfying(record -> assertThat(record.until()).contains(Instant.MAX));
  }

  @Test
  void parse_long_empty() {
    assertThat(PersistRecord.parse("a.b;accounturi=" + "a".repeat(2_033))).isPresent();
    assertThat(PersistRecord.parse("a.b;accounturi=" + "a".repeat(2_034))).isEmpty();
    assertThat(PersistRecord.parse("a".repeat(60_000))).isEmpty();
  }

  /** The draft's own example, section 10.2. */
  @Test
  void hashedAccountUri_example_equal() {
    String key = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";
    String account = "https://ca.example/acct/123";

    assertThat(HashedAccountUri.of("https://ca.example/account-hash/", "example.com", key, account))
        .isEqualTo(
            "https://ca.example/account-hash/sha-256/5SQm7n6tPh2-PlLbCKGnViTXX5z19SCN4cPGQHSk-kw");
    assertThat(HashedAccountUri.of("https://ca.example/account-hash/", "*", key, account))
        .isEqualTo(
            "https://ca.example/account-hash/sha-256/NpDnSwUthQK8zCgFdefYxAdAVPnygMLbs9US6oO-5ug");
  }
}
