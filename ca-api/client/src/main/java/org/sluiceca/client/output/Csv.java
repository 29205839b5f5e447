package org.sluiceca.client.output;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Records of CSV (RFC 4180) for standard output: commas, CRLF, and quotation marks where a cell
 * needs them. A record is one line, since control characters become question marks ({@link
 * Console#printable}).
 *
 * <p>A spreadsheet takes a cell that begins with {@code = + - @} for a formula, quoted or not, and
 * names in certificates are chosen by those who ask for them: such a cell gets an apostrophe in
 * front, by which spreadsheets know text. Immutable, thread-safe.
 */
public final class Csv {
  /** After blanks, too; the wide forms are those of East Asian spreadsheets. */
  private static final Pattern FORMULA =
      Pattern.compile("[\\s\\p{Z}]*[=+@\\-\uff1d\uff0b\uff20\uff0d]");

  private static final Pattern PLAIN = Pattern.compile("[^,;\"\\s\\p{Z}]*");
  private static final String END = "\r\n";

  private final List<String> members;

  /** Records of these members of JSON objects, in this order. */
  public Csv(String... members) {
    this.members = List.of(members);
  }

  /** The names of the members: the first line. */
  public String header() {
    return record(members);
  }

  /**
   * One object; what it does not have is an empty cell, and the elements of an array have a blank
   * between them.
   */
  public String record(JsonNode object) {
    return record(members.stream().map(member -> text(object.path(member))).toList());
  }

  private static String text(JsonNode value) {
    return value.isArray()
        ? value.values().stream().map(Csv::text).collect(Collectors.joining(" "))
        : value.asString("");
  }

  private static String record(List<String> cells) {
    return cells.stream().map(Csv::cell).collect(Collectors.joining(",", "", END));
  }

  private static String cell(String text) {
    // Without control characters, so a tab is no beginning any more.
    String printable = Console.printable(text);
    String safe = FORMULA.matcher(printable).lookingAt() ? "'" + printable : printable;
    return PLAIN.matcher(safe).matches() ? safe : '"' + safe.replace("\"", "\"\"") + '"';
  }
}
