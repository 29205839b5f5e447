package org.sluiceca.api.validation.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.api.validation.service.Attempts.NAME;
import static org.sluiceca.api.validation.service.Attempts.SHORT;
import static org.sluiceca.api.validation.service.Attempts.assertFailed;
import static org.sluiceca.api.validation.service.Attempts.assertValid;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.validation.Method;
import org.sluiceca.api.validation.Sha256;
import org.sluiceca.api.validation.Verdict;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;

/** dns-01 against name servers of the test. */
class Dns01Test {

  private static final String AT = "_acme-challenge." + NAME;
  private static final String RIGHT =
      Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              Sha256.of(Attempts.KEY_AUTHORIZATION.getBytes(StandardCharsets.US_ASCII)));

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

  private Verdict validate() {
    return new Attempts().resolver(one).validate(Method.DNS_01, NAME);
  }

  private Verdict validateByBoth(boolean allMustAgree) {
    Attempts attempts = new Attempts().resolver(one).resolver(two);
    return (allMustAgree ? attempts.allMustAgree() : attempts).validate(Method.DNS_01, NAME);
  }

  @Test
  void right_valid() {
    one.txt(AT, RIGHT);

    assertValid(validate());
    assertThat(one.questions()).containsExactly("TXT " + AT);
  }

  @Test
  void right_amongOthersAndInParts_valid() {
    one.txt(AT, "other").txt(AT, RIGHT.substring(0, 20), RIGHT.substring(20)).txt(AT, "third");

    assertValid(validate());
  }

  @Test
  void wildcard_recordOfTheBaseName_valid() {
    one.txt(AT, RIGHT);

    assertValid(new Attempts().resolver(one).validate(Method.DNS_01, "*." + NAME));
  }

  /** The key authorization itself is the usual mistake; another digest, another account's. */
  @Test
  void wrongTexts_incorrectResponse() {
    one.txt(AT, Attempts.KEY_AUTHORIZATION)
        .txt(AT, RIGHT + "=")
        .txt(AT, RIGHT + " ")
        .txt(AT, RIGHT.toLowerCase(Locale.ROOT))
        .txt(AT, "");

    assertFailed(validate(), Verdict.Kind.INCORRECT_RESPONSE, AT, "none of the 5", RIGHT);
  }

  @Test
  void recordAtTheNameItself_isNoProof() {
    one.txt(NAME, RIGHT).a(AT, "127.0.0.1");

    assertFailed(validate(), Verdict.Kind.UNAUTHORIZED, "no TXT record at " + AT);
  }

  /** An answer may bear records of any name; those of others prove nothing. */
  @Test
  void recordOfAnotherNameInTheAnswer_isNoProof() {
    one.reply(
        (query, isTcp) -> {
          Message answer = NameServer.answerTo(query);
          answer.addRecord(
              new TXTRecord(NameServer.name("_acme-challenge.example.net"), 1, 0, RIGHT),
              Section.ANSWER);
          answer.addRecord(new TXTRecord(NameServer.name(AT), 1, 0, RIGHT), Section.ADDITIONAL);
          return answer.toWire();
        });

    assertFailed(validate(), Verdict.Kind.UNAUTHORIZED, AT);
  }

  @Test
  void nameDoesNotExist_unauthorized() {
    assertFailed(validate(), Verdict.Kind.UNAUTHORIZED, AT);

    one.txt(AT, RIGHT).rcode(AT, Rcode.NXDOMAIN);
    assertFailed(validate(), Verdict.Kind.UNAUTHORIZED, AT);
  }

  @Test
  void servfail_dnsWithNameAndCode() {
    one.rcode(AT, Rcode.SERVFAIL);
    assertFailed(validate(), Verdict.Kind.DNS, "SERVFAIL", AT, "127.0.0.1");

    one.txt(AT, RIGHT);
    assertFailed(validate(), Verdict.Kind.DNS, "SERVFAIL", AT, "127.0.0.1");
  }

  @Test
  void noAnswer_dnsAfterTheDeadline() {
    one.reply((query, isTcp) -> null);

    long start = System.nanoTime();
    Verdict verdict = new Attempts().resolver(one).deadline(SHORT).validate(Method.DNS_01, NAME);

    assertFailed(verdict, Verdict.Kind.DNS, "no answer", AT);
    assertThat(System.nanoTime() - start).isBetween(900_000_000L, 30_000_000_000L);
  }

  @Test
  void truncated_askedByTcp() {
    for (int i = 0; i < 30; i++) {
      one.txt(AT, "other-record-that-fills-the-datagram-" + i);
    }
    one.txt(AT, RIGHT);

    assertValid(validate());
    assertThat(one.questions()).containsExactly("TXT " + AT, "TCP TXT " + AT);
  }

  @Test
  void moreRecordsThanAreRead_restIgnored() {
    for (int i = 0; i < 64; i++) {
      one.txt(AT, "other" + i);
    }
    one.txt(AT, RIGHT);

    assertFailed(validate(), Verdict.Kind.INCORRECT_RESPONSE, "none of the 64");
  }

  @Test
  void aliases_asManyAsAllowed_followed() {
    alias(8);

    assertValid(validate());
  }

  @Test
  void aliases_oneMore_dns() {
    alias(9);

    assertFailed(validate(), Verdict.Kind.DNS, "CNAME", "more than 8");
  }

  private void alias(int aliases) {
    String at = AT;
    for (int i = 1; i <= aliases; i++) {
      String next = "alias" + i + ".example.net";
      one.cname(at, next);
      at = next;
    }
    one.txt(at, RIGHT);
  }

  @Test
  void aliasesInACircle_dns() {
    one.cname(AT, "a.example.net").cname("a.example.net", "b.example.net");
    one.cname("b.example.net", AT);

    assertFailed(validate(), Verdict.Kind.DNS, "CNAME", "circle");
  }

  @Test
  void aliasToItself_dns() {
    one.cname(AT, AT);

    assertFailed(validate(), Verdict.Kind.DNS, "CNAME");
  }

  @Test
  void twoResolvers_bothHaveIt_valid() {
    one.txt(AT, RIGHT);
    two.txt(AT, "other").txt(AT, RIGHT);

    assertValid(validateByBoth(true));
    assertThat(two.questions()).hasSize(1);
  }

  @Test
  void twoResolvers_disagree_failedOrFirstAlone() {
    one.txt(AT, RIGHT);
    two.txt(AT, "other");

    assertFailed(
        validateByBoth(true), Verdict.Kind.INCORRECT_RESPONSE, "port " + two.address().getPort());
    assertValid(validateByBoth(false));
    assertThat(two.questions()).hasSize(1);
  }

  @Test
  void twoResolvers_oneFails_failedOrTheOther() {
    one.rcode(AT, Rcode.REFUSED);
    two.txt(AT, RIGHT);

    assertFailed(validateByBoth(true), Verdict.Kind.DNS, "REFUSED");
    assertValid(validateByBoth(false));
  }

  @Test
  void eachAttempt_asksAgain() {
    one.txt(AT, RIGHT);
    assertValid(validate());
    one.clear(AT);

    assertFailed(validate(), Verdict.Kind.UNAUTHORIZED);
    assertThat(one.questions()).hasSize(2);
  }

  /** Random octets behind the header of a true answer, and true answers with octets changed. */
  @Test
  void hostileAnswers_neverValidNorThrown() {
    one.txt(AT, "other").cname("x.example.net", AT);
    long seed = 20_261_127;
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      one.reply(
          (query, isTcp) -> {
            byte[] octets = one.fromZone(query, isTcp);
            if (random.nextBoolean()) {
              octets = Arrays.copyOf(octets, 12 + random.nextInt(100));
              byte[] noise = new byte[octets.length];
              random.nextBytes(noise);
              System.arraycopy(noise, 4, octets, 4, octets.length - 4);
              octets[2] = (byte) (octets[2] | 0x80);
              octets[2] = (byte) (octets[2] & ~0x02);
              return octets;
            }
            for (int changes = random.nextInt(8); changes >= 0; changes--) {
              octets[2 + random.nextInt(octets.length - 2)] = (byte) random.nextInt();
            }
            octets[2] = (byte) (octets[2] & ~0x02);
            return octets;
          });
      Verdict verdict =
          new Attempts()
              .resolver(one)
              .deadline(Duration.ofSeconds(1))
              .validate(Method.DNS_01, NAME);
      assertThat(verdict).as("seed %d, case %d", seed, i).isInstanceOf(Verdict.Failed.class);
    }

    one.reply(one::fromZone);
    one.txt(AT, RIGHT);
    assertValid(validate());
    assertThat(List.of(one.questions().getLast())).containsExactly("TXT " + AT);
  }
}
