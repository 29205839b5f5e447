package org.sluiceca.api.http.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.x509.OctetString;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Preconditions by RFC 9110 13.2.2, and octets that are always whole. */
class PublicationTest {

  private static final Instant MODIFIED = Instant.parse("2026-11-24T12:00:00Z");
  private static final byte[] OCTETS = {1, 2, 3, 4, 5, 6, 7, 8};
  private static final String AT = date(MODIFIED);
  private static final String BEFORE = date(MODIFIED.minusSeconds(1));
  private static final String AFTER = date(MODIFIED.plusSeconds(1));

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "5"                       | 304
          W/"5"                     | 304
          *                         | 304
          "4", "5"                  | 304
          "4",W/"5" , "6"           | 304
          "4"                       | 200
          5                         | 200
          "5                        | 200
          "a,"5"                    | 200
          """)
  void write_ifNoneMatch_weaklyCompared(String field, int status) throws IOException {
    assertThat(status("If-None-Match", field)).isEqualTo(status);
  }

  @Test
  void write_ifNoneMatchInTwoLines_bothRead() throws IOException {
    assertThat(status("If-None-Match", "\"4\"", "If-None-Match", "\"5\"")).isEqualTo(304);
  }

  @Test
  void write_ifModifiedSince_onlyWithoutIfNoneMatch() throws IOException {
    assertThat(status("If-Modified-Since", AT)).isEqualTo(304);
    assertThat(status("If-Modified-Since", AFTER)).isEqualTo(304);
    assertThat(status("If-Modified-Since", BEFORE)).isEqualTo(200);
    assertThat(status("If-Modified-Since", "yesterday")).isEqualTo(200);
    assertThat(status("If-Modified-Since", AT, "If-None-Match", "\"4\"")).isEqualTo(200);
    assertThat(status("If-Modified-Since", BEFORE, "If-None-Match", "\"5\"")).isEqualTo(304);
  }

  @Test
  void write_ifMatch_stronglyComparedAndFirst() throws IOException {
    assertThat(status("If-Match", "\"5\"")).isEqualTo(200);
    assertThat(status("If-Match", "*")).isEqualTo(200);
    assertThat(status("If-Match", "\"5\"", "If-None-Match", "\"5\"")).isEqualTo(304);
    assertThat(status("If-Match", "\"5\"", "If-Unmodified-Since", BEFORE)).isEqualTo(200);
    assertFailed("If-Match", "W/\"5\"");
    assertFailed("If-Match", "\"4\"", "If-None-Match", "\"5\"");
  }

  @Test
  void write_ifUnmodifiedSince_judged() throws IOException {
    assertThat(status("If-Unmodified-Since", AT)).isEqualTo(200);
    assertThat(status("If-Unmodified-Since", "never")).isEqualTo(200);
    assertFailed("If-Unmodified-Since", BEFORE);
  }

  /** RFC 9110 14.2: a server may ignore Range; then If-Range cannot join two representations. */
  @ParameterizedTest
  @CsvSource({"bytes=0-1", "bytes=7-", "bytes=100-", "octets=0-5", "bytes=1-0", "bytes=0-0;2-3"})
  void write_range_wholeAndNoneAnnounced(String range) throws IOException {
    for (String ifRange : List.of("\"5\"", "\"4\"", AT)) {
      MockHttpServletResponse response = get("GET", file(), "Range", range, "If-Range", ifRange);

      assertThat(response.getStatus()).isEqualTo(200);
      assertThat(response.getContentAsByteArray()).isEqualTo(OCTETS);
      assertThat(response.getHeaderNames()).doesNotContain("Accept-Ranges", "Content-Range");
    }
  }

  @Test
  void write_head_sameFieldsWithoutContent() throws IOException {
    for (Publication each : List.of(file(), memory())) {
      MockHttpServletResponse get = get("GET", each);
      MockHttpServletResponse head = get("HEAD", each);

      assertThat(head.getContentAsByteArray()).isEmpty();
      assertThat(head.getHeaderNames()).containsExactlyInAnyOrderElementsOf(get.getHeaderNames());
      assertThat(head.getHeader("Content-Length")).isEqualTo("8");
      assertThat(head.getHeader("ETag")).isEqualTo("\"5\"");
      assertThat(head.getHeader("Cache-Control")).isEqualTo("max-age=60, public");
    }
    assertThat(get("HEAD", file(), "If-None-Match", "\"5\"").getStatus()).isEqualTo(304);
  }

  @Test
  void write_notModified_validatorsAndNoContent() throws IOException {
    MockHttpServletResponse response = get("GET", file(), "If-None-Match", "\"5\"");

    assertThat(response.getHeaderNames())
        .containsExactlyInAnyOrder("ETag", "Last-Modified", "Cache-Control");
    assertThat(response.getContentAsByteArray()).isEmpty();
  }

  @Test
  void write_withoutADate_datesIgnored() throws IOException {
    assertThat(get("GET", memory(), "If-Modified-Since", AFTER).getStatus()).isEqualTo(200);
    assertThat(get("GET", memory(), "If-Unmodified-Since", BEFORE).getStatus()).isEqualTo(200);
  }

  private int status(String... fields) throws IOException {
    return get("GET", file(), fields).getStatus();
  }

  private void assertFailed(String... fields) {
    assertThatThrownBy(() -> status(fields))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.type()).isEqualTo(ProblemType.PRECONDITION_FAILED));
  }

  private static MockHttpServletResponse get(
      String method, Publication publication, String... fields) throws IOException {
    MockHttpServletRequest request = new MockHttpServletRequest(method, "/crl/issuing.crl");
    for (int i = 0; i < fields.length; i += 2) {
      request.addHeader(fields[i], fields[i + 1]);
    }
    MockHttpServletResponse response = new MockHttpServletResponse();
    publication.write(request, response);
    return response;
  }

  private Publication file() throws IOException {
    Path file = folder.resolve("a.crl");
    Files.write(file, OCTETS);
    return publication(
        new Publication.Content.InFile(file, OCTETS.length), Optional.of(MODIFIED.plusMillis(900)));
  }

  private static Publication memory() {
    return publication(
        new Publication.Content.Octets(OctetString.copyOf(OCTETS)), Optional.empty());
  }

  private static Publication publication(
      Publication.Content content, Optional<Instant> lastModified) {
    return new Publication(
        "application/pkix-crl", "\"5\"", lastModified, Duration.ofMinutes(1), content);
  }

  private static String date(Instant instant) {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(instant.atOffset(ZoneOffset.UTC));
  }
}
