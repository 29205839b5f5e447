package org.sluiceca.load.plan;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bound of a measure: {@code goodput-share >= 0.95}.
 *
 * @param isAtLeast whether the bound is the least allowed, else it is the most
 */
public record Goal(Measure measure, boolean isAtLeast, double bound) {

  private static final Pattern FORM =
      Pattern.compile("([a-z0-9-]+)\\s*(>=|<=)\\s*([0-9]+(?:\\.[0-9]+)?)");

  /**
   * Reads a goal.
   *
   * @throws PlanException if it is none, or there is no such measure
   */
  public static Goal parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new PlanException("not 'measure >= number' or 'measure <= number': " + text);
    }
    Measure measure =
        Measure.find(form.group(1))
            .orElseThrow(() -> new PlanException("no measure " + form.group(1)));
    return new Goal(measure, form.group(2).equals(">="), Double.parseDouble(form.group(3)));
  }

  /** Tells whether {@code value} reaches the goal; a value that is no number never does. */
  public boolean isMetBy(double value) {
    return isAtLeast ? value >= bound : value <= bound;
  }

  @Override
  public String toString() {
    return "%s %s %s".formatted(measure.key(), isAtLeast ? ">=" : "<=", plain(bound));
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
