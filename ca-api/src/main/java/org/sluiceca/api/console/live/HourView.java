package org.sluiceca.api.console.live;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluiceca.api.console.live.feed.Figures;
import org.sluiceca.api.console.live.nodes.NodesFeed.Minute;

/** The rows of the last hour: texts for people, and the numbers that its plot takes from them. */
record HourView(List<Line> minutes) {

  /**
   * A minute.
   *
   * @param point its time in seconds, and what was issued, refused and on the line
   */
  record Line(Map<String, String> fields, String point) {}

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  static HourView of(List<Minute> minutes) {
    return new HourView(minutes.stream().map(HourView::line).toList());
  }

  private static Line line(Minute minute) {
    return new Line(
        Map.of(
            "time",
            TIME.format(minute.minute()),
            "nodes",
            Figures.count(minute.nodes()),
            "seconds",
            minute.seconds() + " s",
            "issued",
            Figures.rate(minute.issued()) + "/s",
            "refused",
            Figures.rate(minute.refused()) + "/s",
            "depth",
            Figures.rate(minute.depth()),
            "wait",
            Figures.seconds(minute.waitSeconds()),
            "used",
            Figures.percent(minute.utilization())),
        String.format(
            Locale.ROOT,
            "%d %.3f %.3f %.3f",
            minute.minute().getEpochSecond(),
            minute.issued(),
            minute.refused(),
            minute.depth()));
  }
}
