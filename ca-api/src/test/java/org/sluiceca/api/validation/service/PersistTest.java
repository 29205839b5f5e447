package org.sluiceca.api.validation.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.api.validation.service.Attempts.ACCOUNT;
import static org.sluiceca.api.validation.service.Attempts.KEY;
import static org.sluiceca.api.validation.service.Attempts.NAME;
import static org.sluiceca.api.validation.service.Attempts.NOW;
import static org.sluiceca.api.validation.service.Attempts.assertFailed;
import static org.sluiceca.api.validation.service.Attempts.assertValid;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.api.validation.Method;
import org.sluiceca.api.validation.PersistTerms;
import org.sluiceca.api.validation.Verdict;
import org.sluiceca.api.validation.dns.HashedAccountUri;

/** dns-persist-01 against name servers of the test. */
class PersistTest {

  private static final String LABEL = "_validation-persist.";
  private static final String AT = LABEL + NAME;
  private static final String PREFIX = Attempts.HASH_PREFIX;
  private static final String CLEAR = "ca.example; accounturi=" + ACCOUNT;

  private NameServer one;
  private NameServer two;

  @BeforeEach
  void start() throws IOException {
    one = new NameServer();
    two = new NameServer();
  }

  @AfterEach
  void stop() throws IOException {
    one.close();
    two.close();
  }

  private static PersistTerms terms(boolean clear, boolean parents) {
    return new PersistTerms(List.of("ca.example", "ca.example.net"), clear, parents);
  }

  private Verdict validate(String name) {
    return validate(name, terms(true, false));
  }

  private Verdict validate(String name, PersistTerms terms) {
    return new Attempts().resolver(one).persist(terms).validate(Method.DNS_PERSIST_01, name);
  }

  @Test
  void right_valid() {
    one.txt(AT, CLEAR);

    assertValid(validate(NAME));
    assertThat(one.questions()).containsExactly("TXT " + AT);
  }

  @Test
  void right_amongOtherCasAndMalformed_valid() {
    one.txt(AT, "other.example; accounturi=" + ACCOUNT)
        .txt(AT, CLEAR + ";")
        .txt(AT, "CA.example.NET. ; accounturi=", ACCOUNT + "; new=1")
        .txt(AT, "v=spf1 -all");

    assertValid(validate(NAME));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "other.example; accounturi=https://ca.example/acct/123",
        "ca.example.org; accounturi=https://ca.example/acct/123",
        "ca.example",
        "ca.example; accounturi=https://ca.example/acct/1234",
        "ca.example; accounturi=https://CA.example/acct/123",
        "ca.example; accounturi=https://ca.example/acct/123;",
        "ca.example; accounturi=https://ca.example/acct/123; persistUntil=later",
        "ca.example; accounturi=https://ca.example/acct/123; persistUntil=1721952000"
      })
  void wrong_unauthorized(String text) {
    one.txt(AT, text);

    assertFailed(validate(NAME), Verdict.Kind.UNAUTHORIZED, AT);
  }

  @Test
  void until_inTime_boundsTheAuthorization() {
    one.txt(AT, CLEAR + "; persistUntil=" + NOW.getEpochSecond());

    assertValid(validate(NAME), Optional.of(NOW));
  }

  @Test
  void until_secondAgo_unauthorized() {
    one.txt(AT, CLEAR + "; persistUntil=" + (NOW.getEpochSecond() - 1));

    assertFailed(validate(NAME), Verdict.Kind.UNAUTHORIZED, "persistUntil has passed");
  }

  @Test
  void until_severalRecords_longestOfAServerAndShortestOfAll() {
    Instant later = NOW.plusSeconds(60);
    Instant latest = NOW.plusSeconds(120);
    one.txt(AT, CLEAR + "; persistUntil=" + later.getEpochSecond())
        .txt(AT, CLEAR + "; persistUntil=" + latest.getEpochSecond());
    two.txt(AT, CLEAR);

    assertValid(validate(NAME), Optional.of(latest));
    assertValid(validateByBoth(), Optional.of(latest));
    two.clear(AT);
    two.txt(AT, CLEAR + "; persistUntil=" + latest.plusSeconds(1).getEpochSecond());
    assertValid(validateByBoth(), Optional.of(latest));
    two.clear(AT);
    two.txt(AT, CLEAR + "; persistUntil=" + later.getEpochSecond());
    assertValid(validateByBoth(), Optional.of(later));
    one.txt(AT, CLEAR);
    assertValid(validate(NAME));
  }

  private Verdict validateByBoth() {
    return new Attempts()
        .resolver(one)
        .resolver(two)
        .allMustAgree()
        .persist(terms(true, false))
        .validate(Method.DNS_PERSIST_01, NAME);
  }

  @Test
  void twoResolvers_oneHasNone_unauthorized() {
    one.txt(AT, CLEAR);

    assertFailed(validateByBoth(), Verdict.Kind.UNAUTHORIZED);
    two.txt(AT, CLEAR);
    assertValid(validateByBoth());
  }

  @Test
  void wildcard_withoutPolicy_unauthorized() {
    one.txt(AT, CLEAR);

    assertFailed(validate("*." + NAME), Verdict.Kind.UNAUTHORIZED, "policy=wildcard");
    one.txt(AT, CLEAR + ";policy=Wildcard");
    assertValid(validate("*." + NAME));
  }

  @Test
  void parent_withPolicyAndTerms_valid() {
    String parent = LABEL + "example.org";
    one.txt(parent, CLEAR);
    assertFailed(validate(NAME, terms(true, true)), Verdict.Kind.UNAUTHORIZED, "policy=wildcard");

    one.txt(parent, CLEAR + "; policy=wildcard");
    assertValid(validate(NAME, terms(true, true)));
    assertValid(validate("*." + NAME, terms(true, true)));
    assertFailed(validate(NAME, terms(true, false)), Verdict.Kind.UNAUTHORIZED);
  }

  @Test
  void parent_oneLabelOrFar_notAsked() {
    one.txt(LABEL + "org", CLEAR + "; policy=wildcard");
    one.txt(LABEL + "example.org", CLEAR + "; policy=wildcard");

    assertFailed(validate("a.b.c.d.example.net", terms(true, true)), Verdict.Kind.UNAUTHORIZED);
    assertThat(one.questions()).hasSize(5).doesNotContain("TXT " + LABEL + "net");
    assertFailed(validate("a.b.c.d.e.example.org", terms(true, true)), Verdict.Kind.UNAUTHORIZED);
    assertFailed(validate("example2.org", terms(true, true)), Verdict.Kind.UNAUTHORIZED);
  }

  @Test
  void hashedAccount_ofEachKeyAndForm_valid() {
    String retired = "new" + KEY.substring(3);
    for (String hashed :
        List.of(
            HashedAccountUri.of(PREFIX, NAME, KEY, ACCOUNT),
            HashedAccountUri.of(PREFIX, NAME, retired, ACCOUNT),
            HashedAccountUri.of(PREFIX, "*", KEY, ACCOUNT))) {
      one.txt(AT, "ca.example; accounturi=" + hashed);
      assertValid(validate(NAME, terms(false, false)));
      one.clear(AT);
    }
  }

  @Test
  void hashedAccount_ofOther_unauthorized() {
    one.txt(AT, CLEAR);
    for (String hashed :
        List.of(
            HashedAccountUri.of(PREFIX, "example.org", KEY, ACCOUNT),
            HashedAccountUri.of(PREFIX, NAME, "x" + KEY.substring(1), ACCOUNT),
            HashedAccountUri.of(PREFIX, NAME, KEY, ACCOUNT + "4"),
            HashedAccountUri.of("https://other.example/", NAME, KEY, ACCOUNT))) {
      one.txt(AT, "ca.example; accounturi=" + hashed);
    }

    assertFailed(validate(NAME, terms(false, false)), Verdict.Kind.UNAUTHORIZED, "accounturi");
  }

  /** The draft's own record, section 10.2. */
  @Test
  void hashedAccount_exampleOfTheDraft_valid() {
    one.txt(
        LABEL + "example.com",
        "ca.example;",
        " accounturi=https://ca.example/account-hash/",
        "sha-256/5SQm7n6tPh2-PlLbCKGnViTXX5z19SCN4cPGQHSk-kw");

    assertValid(validate("example.com", terms(false, false)));
  }
}
