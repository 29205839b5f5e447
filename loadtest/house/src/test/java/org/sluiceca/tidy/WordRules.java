package org.sluiceca.tidy;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Counts words that have a plainer or a more exact substitute (docs/HACKING.md). Their number in
 * each area of the project is fixed, so that it only falls.
 */
final class WordRules {

  /** A part of the project with a number of its own. */
  enum Area {
    /** README, OPERATIONS and what the API says: read by everybody, so none. */
    FRONT_PAGES,
    DOCUMENTS,
    MAIN_JAVA,
    TEST_JAVA,
    SCRIPTS
  }

  /** In any case of letters, but for the JDK's {@code noBody}, which is two words. */
  private static final Pattern AVOIDED =
      Pattern.compile(
          "\\b(?!(?-i:noBody)\\b)(?:nobody|somebody|whoever|anew|beside|told|tells|mend(?:s|ed|ing)?"
              + "|for ever|of late|as ever|so many|that is none|as it was seen)\\b",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern FRONT =
      Pattern.compile(
          "README\\.md|docs/OPERATIONS\\.md|.*/openapi\\.json"
              + "|ca-api/src/main/java/org/sluiceca/api/http/problem/.*\\.java");

  /** Decisions, results and releases say what was true at their date. */
  private static final Pattern DATED =
      Pattern.compile("docs/adr/.*|loadtest/results/.*|CHANGELOG\\.md");

  private WordRules() {}

  /** One finding for each area whose number is not that of {@code budget}. */
  static List<Finding> budget(Checkout checkout, Map<Area, Integer> budget) {
    Map<Area, Integer> counts = counts(checkout);
    List<Finding> findings = new ArrayList<>();
    for (Area area : Area.values()) {
      int count = counts.getOrDefault(area, 0);
      int allowed = budget.getOrDefault(area, 0);
      if (count > allowed) {
        findings.add(
            Finding.of(
                area.name(),
                String.format(
                    Locale.ROOT,
                    "%d words to avoid, allowed %d; the last in %s",
                    count,
                    allowed,
                    last(checkout, area))));
      } else if (count < allowed) {
        findings.add(
            Finding.of(
                area.name(),
                String.format(
                    Locale.ROOT, "%d words to avoid; lower the budget from %d", count, allowed)));
      }
    }
    return findings;
  }

  private static Map<Area, Integer> counts(Checkout checkout) {
    Map<Area, Integer> counts = new EnumMap<>(Area.class);
    for (String path : checkout.paths()) {
      area(path)
          .ifPresent(
              area ->
                  counts.merge(
                      area,
                      Math.toIntExact(AVOIDED.matcher(checkout.text(path)).results().count()),
                      Integer::sum));
    }
    return counts;
  }

  private static String last(Checkout checkout, Area area) {
    String found = "";
    for (String path : checkout.paths()) {
      List<String> lines = area(path).equals(Optional.of(area)) ? checkout.lines(path) : List.of();
      for (int i = 0; i < lines.size(); i++) {
        if (AVOIDED.matcher(lines.get(i)).find()) {
          found = path + ":" + (i + 1);
        }
      }
    }
    return found;
  }

  private static Optional<Area> area(String path) {
    if (FRONT.matcher(path).matches()) {
      return Optional.of(Area.FRONT_PAGES);
    }
    if (path.endsWith(".java")) {
      return Optional.of(Checkout.isTest(path) ? Area.TEST_JAVA : Area.MAIN_JAVA);
    }
    if (path.endsWith(".md")) {
      return DATED.matcher(path).matches() ? Optional.empty() : Optional.of(Area.DOCUMENTS);
    }
    return path.endsWith(".sh") || path.equals("sluice")
        ? Optional.of(Area.SCRIPTS)
        : Optional.empty();
  }
}
