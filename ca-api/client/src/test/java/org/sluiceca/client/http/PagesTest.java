package org.sluiceca.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.client.output.Failure;

class PagesTest {
  private final Pages pages = new Pages("/v1/credentials");

  @Test
  void after_noLinkOrAnotherRelation_last() {
    assertThat(pages.after(page())).isEmpty();
    assertThat(pages.after(page("<https://x/a.css>; rel=preload, </y>; rel=\"prev\""))).isEmpty();
  }

  @Test
  void after_next_itsPathAndQuery() {
    String link = "</x>; rel=help, </v1/credentials?limit=9&cursor=a_-1>; rel=\"next\"";

    assertThat(pages.after(page(link))).contains("/v1/credentials?limit=9&cursor=a_-1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://elsewhere.example/v1/credentials?cursor=a",
        "//elsewhere.example/v1/credentials?cursor=a",
        "/v1/credentials@elsewhere.example?cursor=a",
        "/v1/credentials/../approvals?cursor=a",
        "/v1/credentials?cursor=a b",
        "/v1/credentials?cursor=a#b",
        "/v1/credentials?cursor=a@elsewhere.example",
        "/v1/credentials",
        "",
      })
  void after_elsewhere_refused(String target) {
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> pages.after(page("<" + target + ">; rel=next")))
        .withMessageContaining("not its own");
  }

  @Test
  void after_samePageLater_refused() {
    pages.after(page("</v1/credentials?cursor=a>; rel=next"));
    pages.after(page("</v1/credentials?cursor=b>; rel=next"));

    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> pages.after(page("</v1/credentials?cursor=a>; rel=next")))
        .withMessageContaining("the same page again");
  }

  @Test
  void after_endlessPages_cutOff() {
    for (int i = 1; i < Pages.PAGES_MAX; i++) {
      pages.after(page("</v1/credentials?cursor=" + i + ">; rel=next"));
    }

    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> pages.after(page("</v1/credentials?cursor=more>; rel=next")))
        .withMessageContaining("more than 1000 pages");
  }

  private static Reply page(String... links) {
    Map<String, List<String>> headers =
        links.length == 0 ? Map.of() : Map.of("Link", List.of(links));
    return new Reply(200, HttpHeaders.of(headers, (a, b) -> true), new byte[0]);
  }
}
