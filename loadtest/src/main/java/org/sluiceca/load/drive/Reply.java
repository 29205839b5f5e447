package org.sluiceca.load.drive;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Status line and headers of an answer; its body is of no interest here. */
record Reply(int status, String head) {

  /** RFC 9110 5.1: names of fields are in either case. */
  Optional<String> header(String name) {
    String wanted = name.toLowerCase(Locale.ROOT) + ":";
    return head.lines()
        .filter(line -> line.regionMatches(true, 0, wanted, 0, wanted.length()))
        .map(line -> line.substring(wanted.length()).strip())
        .findFirst();
  }

  /** The last segment of Location: the serial number, also of an order. */
  Optional<String> serial() {
    return header("location").map(path -> path.substring(path.lastIndexOf('/') + 1));
  }

  /** RFC 9110 10.2.3; the service never sends a date. */
  OptionalInt retryAfterSeconds() {
    return header("retry-after")
        .filter(value -> value.matches("[0-9]{1,6}"))
        .map(value -> OptionalInt.of(Integer.parseInt(value)))
        .orElse(OptionalInt.empty());
  }

  boolean keepsConnection() {
    return header("connection").filter("close"::equalsIgnoreCase).isEmpty();
  }
}
