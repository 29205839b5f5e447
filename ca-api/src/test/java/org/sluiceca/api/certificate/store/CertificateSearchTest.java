package org.sluiceca.api.certificate.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.certificate.store.CertificateSearch.Page;
import org.sluiceca.api.certificate.store.SearchFilter.Span;
import org.sluiceca.api.certificate.store.SearchFilter.Status;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/** What is found, and what must not be, on a real PostgreSQL. */
class CertificateSearchTest {

  private static final FindDatabase DATABASE = new FindDatabase();

  /** Builds the filter of a test from those that are empty. */
  private record Wanted(
      Optional<RequesterId> requester,
      Optional<NameRange> subject,
      Optional<NameRange> san,
      Optional<ProfileName> profile,
      Optional<Status> status) {

    static final Wanted ALL =
        new Wanted(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    static Wanted san(String name) {
      return new Wanted(
          Optional.empty(),
          Optional.empty(),
          Optional.of(NameRange.exactly(name)),
          Optional.empty(),
          Optional.empty());
    }

    static Wanted sanFrom(String name) {
      return sanIn(NameRange.beginningWith(name));
    }

    static Wanted sanIn(NameRange range) {
      return new Wanted(
          Optional.empty(),
          Optional.empty(),
          Optional.of(range),
          Optional.empty(),
          Optional.empty());
    }

    static Wanted subject(NameRange range) {
      return new Wanted(
          Optional.empty(),
          Optional.of(range),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }

    Wanted of(RequesterId id) {
      return new Wanted(Optional.of(id), subject, san, profile, status);
    }

    Wanted under(String name) {
      return new Wanted(requester, subject, san, Optional.of(new ProfileName(name)), status);
    }

    Wanted being(Status wanted) {
      return new Wanted(requester, subject, san, profile, Optional.of(wanted));
    }

    SearchFilter filter() {
      return new SearchFilter(
          requester, subject, san, profile, Optional.empty(), status, Span.OPEN, Span.OPEN);
    }
  }

  private final CertificateSearch search = new CertificateSearch(DATABASE.database());

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.empty();
  }

  private List<SerialNumber> found(Wanted wanted) {
    return found(wanted.filter());
  }

  private List<SerialNumber> found(SearchFilter filter) {
    return paged(filter, 200, () -> {});
  }

  /** Every page to the end, with something happening between two. */
  private List<SerialNumber> paged(SearchFilter filter, int limit, Runnable between) {
    List<SerialNumber> all = new ArrayList<>();
    Optional<Position> after = Optional.empty();
    for (int pages = 0; pages < 1_000; pages++) {
      Page page = search.page(filter, after, limit, Sample.NOW);
      assertThat(page.certificates()).hasSizeLessThanOrEqualTo(limit);
      all.addAll(FindDatabase.serialNumbers(page));
      if (page.next().isEmpty()) {
        return all;
      }
      after = page.next();
      between.run();
    }
    throw new AssertionError("no end");
  }

  @Test
  void page_ofOneRequester_neverAnothersInAnyWayToLook() {
    SerialNumber own = DATABASE.indexed(Sample.of("www.example.test"));
    SerialNumber others = DATABASE.indexed(Sample.of("www.example.test").by(Intents.BOB));
    DATABASE.decide(own, 1, "1");
    DATABASE.decide(others, 1, "1");

    for (Wanted wanted :
        List.of(
            Wanted.ALL,
            Wanted.san("www.example.test"),
            Wanted.sanFrom("www"),
            Wanted.subject(NameRange.exactly("www.example.test")),
            Wanted.ALL.being(Status.REVOKED),
            Wanted.ALL.under("tls-server"))) {
      assertThat(found(wanted)).as("%s", wanted).containsExactlyInAnyOrder(own, others);
      assertThat(found(wanted.of(Intents.ALICE))).as("%s", wanted).containsExactly(own);
      assertThat(found(wanted.of(Intents.BOB))).as("%s", wanted).containsExactly(others);
      assertThat(found(wanted.of(new RequesterId("eve")))).as("%s", wanted).isEmpty();
    }
  }

  /** The place where a page ended must say nothing of certificates that its reader may not see. */
  @Test
  void page_ofOneRequesterAmongMany_hasNoPlaceOfAnothers() {
    many(CANDIDATES + 50, "bob", "web");
    SerialNumber own = DATABASE.indexed(Sample.of("web.example.test"));

    for (Wanted wanted :
        List.of(Wanted.ALL, Wanted.sanFrom("web"), Wanted.ALL.being(Status.REVOKED))) {
      Page page = search.page(wanted.of(Intents.ALICE).filter(), Optional.empty(), 200, Sample.NOW);
      assertThat(page.next()).as("%s", wanted).isEmpty();
    }
    assertThat(found(Wanted.ALL.of(Intents.ALICE))).containsExactly(own);
  }

  @Test
  void page_namesBelowADomain_anyDepthAndTheWildcardButNotTheDomain() {
    SerialNumber one = DATABASE.indexed(Sample.of("www.corp.test"));
    SerialNumber deep = DATABASE.indexed(Sample.of("a.b.corp.test").by(Intents.BOB));
    SerialNumber wildcard = DATABASE.indexed(Sample.of("*.corp.test"));
    DATABASE.indexed(Sample.of("corp.test"));
    DATABASE.indexed(Sample.of("www.xcorp.test"));
    DATABASE.indexed(Sample.of("www.corp.test.other"));

    Wanted san = Wanted.sanIn(NameRange.endingWith(".CORP.test"));
    assertThat(found(san)).containsExactlyInAnyOrder(one, deep, wildcard);
    assertThat(found(san.of(Intents.BOB))).containsExactly(deep);
    assertThat(found(san.under("tls-server"))).containsExactlyInAnyOrder(one, deep, wildcard);
    assertThat(found(Wanted.subject(NameRange.endingWith(".corp.test"))))
        .containsExactlyInAnyOrder(one, deep, wildcard);
    assertThat(found(Wanted.sanIn(NameRange.endingWith(".none.test")))).isEmpty();
    // Of both names one has an index, the other is asked of what that finds.
    SearchFilter both =
        new SearchFilter(
            Optional.empty(),
            Optional.of(NameRange.exactly("www.corp.test")),
            Optional.of(NameRange.endingWith(".corp.test")),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Span.OPEN,
            Span.OPEN);
    assertThat(found(both)).containsExactly(one);
    assertThat(paged(san.filter(), 1, () -> {})).containsExactlyInAnyOrder(one, deep, wildcard);
  }

  private static final int CANDIDATES = SearchPlan.CANDIDATES_MAX;

  /** Rows as indexing would have made them, without certificates behind them. */
  private static void many(int count, String requester, String prefix) {
    DATABASE.execute(
        "SELECT ensure_expiry_weeks(ARRAY[3000])",
        String.format(
            Locale.ROOT,
            """
        INSERT INTO certificate_index (expiry_week, serial, issued_at, requester, profile, issuer,
          not_before, not_after, subject, subject_names, sans)
        SELECT 3000, '\\x010bb8'::bytea || decode(repeat('00', 12), 'hex') || int4send(n),
          timestamptz '2026-01-01Z' + n * interval '1 second', '%s', 'tls-server', 'issuing',
          timestamptz '2026-01-01Z', timestamptz '2027-07-03Z', '', '{}', ARRAY['%s' || n]
        FROM generate_series(1, %d) AS n
        """,
            requester,
            prefix,
            count),
        """
        INSERT INTO certificate_name (kind, name, requester, expiry_week, serial)
        SELECT 2, x.name, c.requester, c.expiry_week, c.serial
        FROM certificate_index c, unnest(c.sans) AS x (name)
        WHERE c.expiry_week = 3000
        ON CONFLICT DO NOTHING
        """);
  }

  @Test
  void page_moreCandidatesThanAPageLooksAt_shortPagesToTheEnd() {
    many(2 * CANDIDATES + 10, "bob", "web");
    SerialNumber rare = DATABASE.indexed(Sample.of("aaa.example.test").under("device"));

    SearchFilter filter =
        new SearchFilter(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(new IssuerName("other")),
            Optional.empty(),
            Span.OPEN,
            Span.OPEN);
    Page first = search.page(filter, Optional.empty(), 50, Sample.NOW);

    assertThat(first.certificates()).isEmpty();
    assertThat(first.next()).isPresent();
    assertThat(found(filter)).isEmpty();
    assertThat(found(Wanted.ALL)).hasSize(2 * CANDIDATES + 11).doesNotHaveDuplicates();
    assertThat(found(Wanted.ALL.under("device"))).containsExactly(rare);
    assertThat(found(Wanted.sanFrom(""))).hasSize(2 * CANDIDATES + 11).doesNotHaveDuplicates();
  }

  /** A revocation without a certificate in the index must not look like the end. */
  @Test
  void page_revokedAmongManyThatAreNotIndexed_found() {
    SerialNumber revoked =
        DATABASE.indexed(
            Sample.of("www.example.test").until(Sample.NOW.minus(Duration.ofDays(90))));
    DATABASE.decide(revoked, 1, "4");
    DATABASE.execute(
        "SELECT ensure_expiry_weeks(ARRAY[3000])",
        String.format(
            Locale.ROOT,
            """
        INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, requester,
          reason, revoked_at, not_after)
        SELECT 3000, '\\x010bb8'::bytea || decode(repeat('00', 12), 'hex') || int4send(n), 1,
          'issuing', 0, 1, 'officer', 0, now(), now()
        FROM generate_series(1, %d) AS n
        """,
            CANDIDATES + 5));

    assertThat(found(Wanted.ALL.being(Status.REVOKED))).containsExactly(revoked);
  }

  @Test
  void page_rowsAddedBetween_noneSkippedNoneTwice() {
    List<SerialNumber> before = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      // Several expire in one week, several are of one name.
      before.add(
          DATABASE.indexed(
              Sample.of("www" + i % 3 + ".example.test")
                  .until(Sample.NOW.plus(Duration.ofDays(9L * (i % 4))))));
    }
    before.forEach(s -> DATABASE.decide(s, 1, "4"));
    Runnable adding =
        () -> {
          SerialNumber added = DATABASE.indexed(Sample.of("www1.example.test"));
          DATABASE.decide(added, 1, "4");
        };

    for (Wanted wanted :
        List.of(
            Wanted.ALL,
            Wanted.ALL.of(Intents.ALICE),
            Wanted.ALL.under("tls-server"),
            Wanted.sanFrom("www"),
            Wanted.ALL.being(Status.REVOKED))) {
      List<SerialNumber> seen = paged(wanted.filter(), 4, adding);
      assertThat(seen).as("%s", wanted).doesNotHaveDuplicates().containsAll(before);
    }
    List<SerialNumber> ofOneName = paged(Wanted.san("www0.example.test").filter(), 2, () -> {});
    assertThat(ofOneName).hasSize(9).doesNotHaveDuplicates();
  }

  @Test
  void page_statusWhateverHappened_isTheLedgers() {
    SerialNumber valid = DATABASE.indexed(Sample.of("valid.example.test"));
    SerialNumber revoked = DATABASE.indexed(Sample.of("revoked.example.test"));
    SerialNumber released = DATABASE.indexed(Sample.of("released.example.test"));
    SerialNumber held = DATABASE.indexed(Sample.of("held.example.test"));
    Instant past = Sample.NOW.minus(Duration.ofSeconds(1));
    SerialNumber expired = DATABASE.indexed(Sample.of("expired.example.test").until(past));
    SerialNumber both = DATABASE.indexed(Sample.of("both.example.test").until(past));
    SerialNumber now = DATABASE.indexed(Sample.of("now.example.test").until(Sample.NOW));
    DATABASE.decide(revoked, 1, "1");
    DATABASE.decide(released, 1, "6");
    DATABASE.decide(released, 2, "NULL");
    DATABASE.decide(held, 1, "6");
    DATABASE.decide(held, 2, "NULL");
    DATABASE.decide(held, 3, "6");
    DATABASE.decide(both, 1, "4");

    for (Wanted wanted : List.of(Wanted.ALL, Wanted.ALL.of(Intents.ALICE), Wanted.sanFrom(""))) {
      assertThat(found(wanted.being(Status.VALID))).containsExactlyInAnyOrder(valid, released);
      assertThat(found(wanted.being(Status.REVOKED)))
          .containsExactlyInAnyOrder(revoked, held, both);
      assertThat(found(wanted.being(Status.EXPIRED))).containsExactlyInAnyOrder(expired, now);
    }
    FoundCertificate one =
        search
            .page(Wanted.san("revoked.example.test").filter(), Optional.empty(), 1, Sample.NOW)
            .certificates()
            .getFirst();
    assertThat(one.revocation().orElseThrow().reason()).isEqualTo(RevocationReason.KEY_COMPROMISE);
  }

  @Test
  void page_charactersOfPatterns_meanThemselves() {
    DATABASE.indexed(Sample.of("wildcard.example.test"));
    SerialNumber star =
        DATABASE.indexed(
            Sample.of("x").named(new GeneralName.Dns("*.example.test"), uri("urn:50%_off")));
    DATABASE.indexed(Sample.of("y").named(uri("urn:50xxoff"), uri("urn:501off")));

    assertThat(found(Wanted.san("*.example.test"))).containsExactly(star);
    assertThat(found(Wanted.san("%.example.test"))).isEmpty();
    assertThat(found(Wanted.san("_ildcard.example.test"))).isEmpty();
    assertThat(found(Wanted.sanFrom("%"))).isEmpty();
    assertThat(found(Wanted.sanFrom("urn:50%"))).containsExactly(star);
    assertThat(found(Wanted.sanFrom("urn:50%_"))).containsExactly(star);
    assertThat(found(Wanted.sanFrom("urn:5'; DROP TABLE intent; --"))).isEmpty();
    assertThat(found(Wanted.sanFrom("urn:50\\%"))).isEmpty();
  }

  private static GeneralName uri(String uri) {
    return new GeneralName.Uri(uri);
  }

  @Test
  void page_names_inAnyCaseAndFormButNoOthers() throws Exception {
    SerialNumber mixed =
        DATABASE.indexed(
            Sample.of("Device 7")
                .named(
                    new GeneralName.Dns("WWW.Example.TEST"),
                    new GeneralName.Dns("www2.example.test"),
                    new GeneralName.Ip(InetAddress.ofLiteral("2001:db8::1")),
                    new GeneralName.Email("Someone@example.test")));
    SerialNumber bare = DATABASE.indexed(Sample.of("device 70").named());

    assertThat(found(Wanted.san("www.EXAMPLE.test"))).containsExactly(mixed);
    assertThat(found(Wanted.san("2001:0DB8:0:0::1"))).containsExactly(mixed);
    assertThat(found(Wanted.san("someone@EXAMPLE.test"))).containsExactly(mixed);
    assertThat(found(Wanted.san("www"))).isEmpty();
    assertThat(found(Wanted.san("Device 7"))).isEmpty();
    // Once, though two of its names begin so.
    assertThat(found(Wanted.sanFrom("www"))).containsExactly(mixed);
    assertThat(found(Wanted.subject(NameRange.exactly("DEVICE 7")))).containsExactly(mixed);
    assertThat(found(Wanted.subject(NameRange.beginningWith("device 7"))))
        .containsExactlyInAnyOrder(bare, mixed);
    assertThat(found(Wanted.subject(NameRange.exactly("www.example.test")))).isEmpty();
  }

  @Test
  void page_longAndOddNames_found() {
    String longest = "urn:" + "a".repeat(2_000);
    SerialNumber odd = DATABASE.indexed(Sample.of("x").named(uri(longest), uri("urn:\u0000null")));

    assertThat(found(Wanted.san(longest))).containsExactly(odd);
    assertThat(found(Wanted.sanFrom(longest.substring(0, 400)))).containsExactly(odd);
    assertThat(found(Wanted.san("urn:\u0000null"))).containsExactly(odd);
  }

  @Test
  void page_spans_fromAfterToBefore() {
    Instant end = Sample.NOW.plus(Duration.ofDays(10));
    SerialNumber in = DATABASE.indexed(Sample.of("in.example.test").until(end));
    DATABASE.indexed(Sample.of("out.example.test").until(end.plusSeconds(1)));
    DATABASE.execute("UPDATE certificate_index SET issued_at = '2026-11-01T00:00:00Z'");

    assertThat(found(spans(Span.OPEN, span("2026-11-20T00:00:00Z", end.plusSeconds(1).toString()))))
        .containsExactly(in);
    assertThat(found(spans(Span.OPEN, span(end.toString(), "9999-12-31T23:59:59Z")))).hasSize(1);
    assertThat(
            found(spans(Span.OPEN, new Span(Optional.of(Instant.MIN), Optional.of(Instant.MAX)))))
        .hasSize(2);
    assertThat(found(spans(span("2026-10-31T23:59:59Z", "2026-11-01T00:00:01Z"), Span.OPEN)))
        .hasSize(2);
    assertThat(found(spans(span("2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"), Span.OPEN)))
        .isEmpty();
  }

  private static Span span(String after, String before) {
    return new Span(Optional.of(Instant.parse(after)), Optional.of(Instant.parse(before)));
  }

  private static SearchFilter spans(Span issued, Span expires) {
    return new SearchFilter(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        issued,
        expires);
  }
}
