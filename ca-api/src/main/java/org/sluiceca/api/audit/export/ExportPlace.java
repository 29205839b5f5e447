package org.sluiceca.api.audit.export;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.core.audit.ChainHead;

/**
 * How far an export has come: {@code c} and the number of the last checkpoint, or {@code r}, the
 * sequence, a dot and the chain of the last row. It holds no state of the service, so an export
 * goes on at any node and at any time, also from the last line that a client has.
 */
sealed interface ExportPlace {

  /** After a checkpoint; 0 is the beginning. */
  record Checkpoint(long number) implements ExportPlace {
    @Override
    public String text() {
      return "c" + number;
    }
  }

  /** After a row; the empty chain is before the first. */
  record Row(String chain, long sequence) implements ExportPlace {
    @Override
    public String text() {
      return "r" + sequence + "." + chain;
    }
  }

  /** The pattern of every place. */
  Pattern TEXT =
      Pattern.compile("(?:c([0-9]{1,18})|r([0-9]{1,18})[.]([!-~]{0," + ChainHead.NAME_MAX + "}))");

  /** The beginning of an export. */
  static ExportPlace begin() {
    return new Checkpoint(0);
  }

  /** Before the first row. */
  static ExportPlace firstRow() {
    return new Row("", 0);
  }

  /** Returns what {@link #parse} reads. */
  String text();

  /** Returns the text as it stands in a query: no character of it means anything in a URL. */
  default String escaped() {
    return URLEncoder.encode(text(), StandardCharsets.UTF_8).replace("*", "%2A");
  }

  /** Reads a place; empty if the text is none. */
  static Optional<ExportPlace> parse(String text) {
    Matcher place = TEXT.matcher(text);
    if (!place.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        place.group(1) != null
            ? new Checkpoint(Long.parseLong(place.group(1)))
            : new Row(place.group(3), Long.parseLong(place.group(2))));
  }
}
