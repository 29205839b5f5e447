package org.sluiceca.api.console.live;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.sluiceca.api.console.ConsolePaths;
import org.sluiceca.api.console.Pages;
import org.sluiceca.api.console.SessionFilter;
import org.sluiceca.api.console.live.feed.LiveFeed;
import org.sluiceca.api.console.live.nodes.NodesFeed;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import tools.jackson.databind.json.JsonMapper;

/** The live page, its stream of events, what its plot begins with, and the last hour. */
@Controller
final class LiveController {

  /** Other pages are closed, or streams end by themselves. */
  private static final String RETRY_SECONDS = "10";

  private final LiveFeed feed;
  private final NodesFeed nodes;
  private final LiveStreams streams;
  private final Pages pages;
  private final JsonMapper json = JsonMapper.builder().build();

  LiveController(LiveFeed feed, NodesFeed nodes, LiveStreams streams, Pages pages) {
    this.feed = feed;
    this.nodes = nodes;
    this.streams = streams;
    this.pages = pages;
  }

  @GetMapping(ConsolePaths.LIVE)
  void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
    LiveView view = LiveView.of(feed.look(), SessionFilter.required(request).requester(), nodes);
    pages.write(request, response, "live", Map.of("view", view, "blank", LiveView.BLANK));
  }

  @GetMapping(ConsolePaths.EVENTS)
  void events(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (request.getMethod().equals("HEAD")) {
      // An answer without a body would keep its place until the stream's time is over.
      response.setContentType(LiveStreams.MEDIA_TYPE);
      return;
    }
    if (!streams.open(SessionFilter.required(request), request, response)) {
      response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
    }
  }

  /** The last hour of all nodes, as far as a page was open. */
  @GetMapping(ConsolePaths.HOUR)
  void hour(HttpServletRequest request, HttpServletResponse response) throws IOException {
    pages.write(request, response, "hour", Map.of("view", HourView.of(nodes.hour())));
  }

  /** Four lists of numbers: times, issued, refused and waiting. */
  @GetMapping(ConsolePaths.HISTORY)
  void history(HttpServletResponse response) throws IOException {
    List<LiveFeed.Point> points = feed.history();
    response.setContentType("application/json");
    response
        .getOutputStream()
        .write(
            json.writeValueAsBytes(
                List.of(
                    points.stream().mapToDouble(LiveFeed.Point::epochSeconds).toArray(),
                    points.stream().mapToDouble(LiveFeed.Point::issued).toArray(),
                    points.stream().mapToDouble(LiveFeed.Point::refused).toArray(),
                    points.stream().mapToDouble(LiveFeed.Point::waiting).toArray())));
  }
}
