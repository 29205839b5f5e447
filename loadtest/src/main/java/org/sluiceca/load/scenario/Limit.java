package org.sluiceca.load.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;

/**
 * A bound of a figure of the whole run: {@code knee >= 0.9}, {@code latency-p99@ocsp <= 200}.
 *
 * @param kind whose figure it is, as files name it; empty if it is of all
 * @param isAtLeast whether the bound is the least allowed, else it is the most
 */
public record Limit(Figure figure, String kind, boolean isAtLeast, double bound) {

  private static final Pattern FORM =
      Pattern.compile("([a-z0-9-]+)(?:@([a-z]+))?\\s*(>=|<=)\\s*([0-9]+(?:\\.[0-9]+)?)");

  /**
   * Reads limits with semicolons between them.
   *
   * @throws InputException if one is none, or there is no such figure
   */
  public static List<Limit> parseAll(String text) {
    return Arrays.stream(text.split(";", -1))
        .map(String::strip)
        .filter(limit -> !limit.isEmpty())
        .map(Limit::parse)
        .toList();
  }

  private static Limit parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new InputException("not 'figure[@kind] >= number' or the same with '<=': " + text);
    }
    Figure figure =
        Figure.find(form.group(1))
            .orElseThrow(() -> new InputException("no figure " + form.group(1)));
    String kind = form.group(2) == null ? "" : form.group(2);
    if (figure.isOfKind() != Kind.find(kind).isPresent()) {
      throw new InputException((figure.isOfKind() ? "of which kind: " : "it is of all: ") + text);
    }
    return new Limit(figure, kind, form.group(3).equals(">="), Double.parseDouble(form.group(4)));
  }

  /** Returns the name of its figure in results. */
  public String name() {
    return name(figure, kind);
  }

  /** Returns the name of a figure in results. */
  public static String name(Figure figure, String kind) {
    return kind.isEmpty() ? figure.key() : figure.key() + "@" + kind;
  }

  /** Returns whether {@code value} keeps the limit; a value that is no number never does. */
  public boolean isKeptBy(double value) {
    return isAtLeast ? value >= bound : value <= bound;
  }

  @Override
  public String toString() {
    String number =
        bound == Math.rint(bound) ? Long.toString((long) bound) : Text.format("%s", bound);
    return name() + (isAtLeast ? " >= " : " <= ") + number;
  }
}
