package org.sluiceca.load.plan;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;

/**
 * A bound of a measure: {@code goodput-share >= 0.95}, {@code hsm-refused@near <= 0}, {@code
 * latency-p99 <= 1.1 of alone}, {@code revocation-published <= 1 scaled}.
 *
 * @param name the HSM, the requester or the kind of request whose measure it is; empty if it is
 *     that of all
 * @param isAtLeast whether the bound is the least allowed, else it is the most
 * @param base the phase whose same measure the bound is times of; empty if it is a number by itself
 * @param isScaled whether the bound is a time of the HSM, which is longer as its rate is lower
 */
public record Goal(
    Measure measure, String name, boolean isAtLeast, double bound, String base, boolean isScaled) {

  private static final Pattern FORM =
      Pattern.compile(
          "([a-z0-9-]+)(?:@([a-z0-9-]+))?\\s*(>=|<=)\\s*([0-9]+(?:\\.[0-9]+)?)(?:\\s+of\\s+(\\S+)|\\s+(scaled))?");

  /** A bound that is a number, of a measure of all. */
  public Goal(Measure measure, boolean isAtLeast, double bound) {
    this(measure, "", isAtLeast, bound, "", false);
  }

  /**
   * Reads a goal.
   *
   * @throws InputException if it is none, or there is no such measure
   */
  public static Goal parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new InputException(
          "not 'measure[@name] >= number [of phase | scaled]' or the same with '<=': " + text);
    }
    Measure measure =
        Measure.find(form.group(1))
            .orElseThrow(() -> new InputException("no measure " + form.group(1)));
    return new Goal(
        measure,
        orEmpty(form.group(2)),
        form.group(3).equals(">="),
        Double.parseDouble(form.group(4)),
        orEmpty(form.group(5)),
        form.group(6) != null);
  }

  /**
   * Checks that the plan has what the goal names.
   *
   * @param phase whose goal it is
   * @param hsms the names of all HSMs of the plan
   * @throws InputException if it has not
   */
  void check(Phase phase, List<Phase> all, List<String> hsms) {
    checkName(phase, all, hsms);
    check(
        !isRelative()
            || all.stream()
                .map(Phase::name)
                .anyMatch(other -> other.equals(base) && !other.equals(phase.name())),
        "no other phase " + base + ": " + this);
  }

  /** Of several HSMs together there is no queue and no utilisation. */
  private void checkName(Phase phase, List<Phase> all, List<String> hsms) {
    check(!measure.isOfRun() && measure != Measure.SERVED, "it is of the whole run: " + this);
    if (measure.isOfHsm()) {
      check(
          hsms.size() == 1 ? name.isEmpty() : hsms.contains(name),
          "which of " + hsms + ": " + this);
    } else if (name.isEmpty()) {
      check(measure != Measure.TIME_SHARE, "whose: " + this);
    } else {
      check(measure.isOfRequester(), "it is of all: " + this);
      for (Phase each : all) {
        check(
            !(each.equals(phase) || each.name().equals(base)) || each.has(name),
            each.name() + " has no requester " + name + ": " + this);
      }
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new InputException(otherwise);
    }
  }

  /** Returns the goal on an HSM of {@code times} times the rate that the plan was written for. */
  Goal at(double times) {
    return isScaled ? new Goal(measure, name, isAtLeast, bound / times, base, true) : this;
  }

  private static String orEmpty(@Nullable String group) {
    return group == null ? "" : group;
  }

  /** Returns whether it is bound to another phase's measure. */
  public boolean isRelative() {
    return !base.isEmpty();
  }

  /**
   * Returns whether {@code value} reaches the goal; a value that is no number never does.
   *
   * @param baseValue the measure in the phase that it is bound to, which must have seen something;
   *     1 if it is bound to none
   */
  public boolean isMetBy(double value, double baseValue) {
    return baseValue > 0 && Double.isFinite(baseValue) && isWithin(value, bound * baseValue);
  }

  /** Returns the name of its figure in files and results. */
  public String figure() {
    return figure(measure, name);
  }

  /** Returns the name of a figure in files and results. */
  public static String figure(Measure measure, String name) {
    return name.isEmpty() ? measure.key() : measure.key() + "@" + name;
  }

  private boolean isWithin(double value, double wanted) {
    return isAtLeast ? value >= wanted : value <= wanted;
  }

  @Override
  public String toString() {
    return Text.format(
        "%s %s %s%s",
        figure(), isAtLeast ? ">=" : "<=", plain(bound), isRelative() ? " of " + base : "");
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
