package org.sluiceca.api.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.console.Assets;
import org.sluiceca.api.console.Pages;
import org.sluiceca.api.console.live.feed.LiveFeed;
import org.sluiceca.api.console.live.feed.Rates;
import org.sluiceca.api.console.live.feed.Reading;
import org.sluiceca.api.console.live.feed.Readings;
import org.sluiceca.api.console.live.feed.Tally;
import org.sluiceca.api.console.live.nodes.NodeRowsForTests;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** The page itself, as it leaves the node. */
class LivePageTest {

  private static final String HOSTILE = "\"><script>alert(1)</script><b onclick='x'>${1+1}";

  private static String page(Reading... readings) throws Exception {
    Reading last = readings[readings.length - 1];
    LiveView view =
        LiveView.of(
            new LiveFeed.Moment(last, Rates.of(List.of(readings))),
            Readings.OFFICER,
            NodeRowsForTests.feed(last));
    MockHttpServletResponse response = new MockHttpServletResponse();
    new Pages(new Assets(), "node-0")
        .write(
            new MockHttpServletRequest("GET", "/console/live"),
            response,
            "live",
            Map.of("view", view, "blank", LiveView.BLANK));
    return response.getContentAsString();
  }

  /** Names come from files, databases and requests: on a page they are text. */
  @Test
  void names_thatAreMarkup_areShownAsText() throws Exception {
    Reading.Counts before = Readings.counts(0, 0, Map.of(), Map.of());
    Reading.Counts now = Readings.counts(1, 1, Map.of(HOSTILE, 5.0), Map.of(HOSTILE + "2", 1.0));

    String page =
        page(
            Readings.reading(0, before, Map.of(), Readings.token(HOSTILE, 1, 0, 1)),
            Readings.reading(
                5, now, Map.of(HOSTILE, new Tally(5, 0)), Readings.token(HOSTILE, 1, 0, 1)));

    assertThat(page)
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;", "${1+1}")
        .doesNotContain("<script>", "<b onclick");
  }

  /** Each row that the script copies is one that the page could begin with. */
  @Test
  void templates_ofRows_haveTheFieldsOfRows() throws Exception {
    String page =
        page(
            Readings.reading(
                0,
                Readings.counts(0, 0, Map.of("lint", 1.0), Map.of()),
                Map.of(),
                Readings.token("t", 1, 0, 1)));

    for (String list : List.of("nodes", "tokens", "lanes", "refusals")) {
      String rows = page.split("data-list=\"" + list + "\">", 2)[1].split("</tr>", 2)[0];
      String copied = page.split("id=\"row-" + list + "\">", 2)[1].split("</tr>", 2)[0];
      assertThat(fields(copied)).isNotEmpty().isEqualTo(fields(rows));
    }
  }

  private static List<String> fields(String row) {
    return Pattern.compile("data-field=\"(\\w+)\"")
        .matcher(row)
        .results()
        .map(result -> result.group(1))
        .toList();
  }

  @Test
  void page_nothingInline_everythingNamed() throws Exception {
    String page =
        page(
            Readings.reading(
                0,
                Readings.counts(0, 0, Map.of(), Map.of()),
                Map.of(),
                Readings.token("t", 1, 0, 1)));

    assertThat(page)
        .contains("<html lang=\"en\">", "<title>Live · Sluice</title>", "data-list=\"stages\"")
        .doesNotContain(" style=", "<style", " onclick=", "javascript:", "th:");
    assertThat(page.split("<meter ", -1)).hasSizeGreaterThan(5);
    assertThat(page.split("<meter [^>]*aria-label=", -1)).hasSameSizeAs(page.split("<meter ", -1));
  }
}
