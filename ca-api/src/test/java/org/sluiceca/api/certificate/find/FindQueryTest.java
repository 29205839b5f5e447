package org.sluiceca.api.certificate.find;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.certificate.store.NameRange;
import org.sluiceca.api.certificate.store.Position;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.x509.OctetString;

/** What a query may say, and whose certificates it then shows. */
class FindQueryTest {

  private static final Position POSITION =
      new Position(
          "www.exämple.test",
          "alice",
          Instant.parse("2026-11-22T10:00:00.123456Z"),
          OctetString.copyOf(HexFormat.of().parseHex("010ba5" + "77".repeat(16))));

  private static Requester requester(Role... roles) {
    return new Requester(
        Intents.ALICE, Requester.Authentication.BEARER_TOKEN, Set.of(roles), Set.of());
  }

  private static FindQuery query(Requester requester, String... words) {
    Map<String, List<String>> parameters = new HashMap<>();
    for (int i = 0; i < words.length; i += 2) {
      parameters.put(words[i], List.of(words[i + 1]));
    }
    return FindQuery.of(requester, parameters);
  }

  private static void assertRefused(String detail, String... words) {
    assertThatExceptionOfType(ProblemException.class)
        .as("%s", List.of(words))
        .isThrownBy(() -> query(requester(Role.ADMIN), words))
        .withMessageContaining(detail);
  }

  @Test
  void of_requester_ownAlone() {
    assertThat(query(requester(Role.REQUESTER)).filter().requester()).contains(Intents.ALICE);
    assertThat(query(requester()).filter().requester()).contains(Intents.ALICE);
    assertThat(query(requester(Role.REQUESTER), "requester", "alice").filter().requester())
        .contains(Intents.ALICE);
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> query(requester(Role.REQUESTER), "requester", "bob"))
        .withMessageContaining("others' certificates");
  }

  @Test
  void of_officerAuditorAdmin_allOrWhomTheyName() {
    for (Role role : List.of(Role.OFFICER, Role.AUDITOR, Role.ADMIN)) {
      assertThat(query(requester(role)).filter().requester()).isEmpty();
      assertThat(query(requester(role), "requester", "bob").filter().requester())
          .contains(new RequesterId("bob"));
    }
  }

  @Test
  void of_oddValues_refusedWithTheirName() {
    assertRefused("no such parameter", "subjet", "x");
    assertRefused("status must be", "status", "VALID");
    assertRefused("issuedAfter must be a time", "issuedAfter", "yesterday");
    assertRefused("expiresBefore must be a time", "expiresBefore", "2026-01-31");
    assertRefused("limit must be a number", "limit", "0");
    assertRefused("limit must be a number", "limit", "201");
    assertRefused("limit must be a number", "limit", "+5");
    assertRefused("limit must be a number", "limit", "99999999999");
    assertRefused("profile", "profile", "A");
    assertRefused("issuer", "issuer", "");
    assertRefused("requester", "requester", "a b");
    assertRefused("subject and san", "san", "");
    assertRefused("subject and san", "subject", "a\u0000b");
    assertRefused("subject and san", "san", "a".repeat(501));
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> FindQuery.of(requester(Role.ADMIN), Map.of("san", List.of("one", "two"))))
        .withMessageContaining("more than once");
  }

  @Test
  void of_limits_bothEnds() {
    assertThat(query(requester()).limit()).isEqualTo(50);
    assertThat(query(requester(), "limit", "1").limit()).isOne();
    assertThat(query(requester(), "limit", "200").limit()).isEqualTo(200);
  }

  @Test
  void of_asterisk_atAnEndMoreThanItself() {
    assertThat(query(requester(), "san", "www*").filter().san())
        .contains(NameRange.beginningWith("www"));
    assertThat(query(requester(), "san", "*.Example.test").filter().san())
        .contains(NameRange.endingWith(".example.test"));
    assertThat(query(requester(), "subject", "*.example.test").filter().subject())
        .contains(NameRange.endingWith(".example.test"));
    // What could find nothing is refused, not answered with nothing.
    assertRefused("san has *", "san", "www.*.example.test");
    assertRefused("san has *", "san", "*example.test");
    assertRefused("not at both", "san", "*.example.*");
    assertThat(query(requester(), "subject", "a*b").filter().subject())
        .contains(NameRange.exactly("a*b"));
    assertThat(query(requester(), "san", "*").filter().san()).contains(NameRange.beginningWith(""));
  }

  @Test
  void cursor_ofThisSearch_comesBack() {
    FindQuery first = query(requester(), "san", "www*");

    String cursor = Cursor.write(POSITION, first.filter());

    assertThat(cursor).matches("[A-Za-z0-9_-]+");
    assertThat(query(requester(), "san", "www*", "cursor", cursor, "limit", "7").after())
        .contains(POSITION);
  }

  @Test
  void cursor_ofAnotherSearchOrRequester_refused() {
    String cursor = Cursor.write(POSITION, query(requester(), "san", "www*").filter());

    assertRefused("cursor", "san", "www*", "cursor", cursor);
    assertRefused("cursor", "cursor", cursor);
    assertRefused("cursor", "cursor", "");
    assertRefused("cursor", "cursor", "%%%");
    assertRefused("cursor", "cursor", "AQ");
  }

  @Test
  void cursor_madeUp_refused() {
    FindQuery all = query(requester(Role.ADMIN));
    byte[] whole = Base64.getUrlDecoder().decode(Cursor.write(POSITION, all.filter()));
    for (int length = 0; length < whole.length; length++) {
      assertRefused("cursor", "cursor", text(Arrays.copyOf(whole, length)));
    }
    assertRefused("cursor", "cursor", text(Arrays.copyOf(whole, whole.length + 1)));
    byte[] late = whole.clone();
    late[1 + 8 + 19] = 0x7F;
    assertRefused("cursor", "cursor", text(late));
    byte[] negative = whole.clone();
    negative[1 + 8 + 19] = (byte) 0x80;
    assertRefused("cursor", "cursor", text(negative));
  }

  private static String text(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }
}
