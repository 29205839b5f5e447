package org.sluiceca.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Rules about files as such: their size, their place, what must not stand in them. */
final class FileRules {

  static final int MAIN_LINES_MAX = 500;
  static final int TEST_LINES_MAX = 800;
  static final int PACKAGE_FILES_MAX = 12;

  /** Sources are small; anything larger was made by a tool and belongs to a release. */
  static final int BLOB_BYTES_MAX = 256 * 1024;

  private static final String PACKAGE_INFO = "package-info.java";

  /** Files with lines that people write. */
  private static final Pattern WRITTEN =
      Pattern.compile(".*\\.(java|sh|sql|c|h|ya?ml|xml|py)|sluice");

  private static final Pattern LENGTH_COUNTS = Pattern.compile(".*\\.(java|sh|c)|sluice");

  private static final Pattern UNNUMBERED = Pattern.compile("\\bTO" + "DO\\b(?!\\(#[0-9]+\\))");

  /** Absolute paths that exist on one machine only. */
  private static final Pattern PRIVATE_PATH =
      Pattern.compile("(?<![\\w.~$}*-])/(?:work|root|home/\\w+|Users/\\w+)/");

  private FileRules() {}

  static List<Finding> fileLength(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    for (String path : checkout.paths()) {
      if (!LENGTH_COUNTS.matcher(path).matches()) {
        continue;
      }
      int allowed = Checkout.isTest(path) ? TEST_LINES_MAX : MAIN_LINES_MAX;
      int length = checkout.lines(path).size();
      if (length > allowed) {
        findings.add(Finding.of(path, length + " lines, allowed " + allowed));
      }
    }
    return findings;
  }

  /** What is left to do has an issue; otherwise it is forgotten. */
  static List<Finding> unnumberedNotes(Checkout checkout) {
    return matches(checkout, WRITTEN, UNNUMBERED, "a note of work left names its issue: (#n)");
  }

  static List<Finding> privatePaths(Checkout checkout) {
    return matches(checkout, Pattern.compile(".*"), PRIVATE_PATH, "a path of one machine");
  }

  static List<Finding> blobs(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    for (String path : checkout.paths()) {
      if (checkout.size(path) > BLOB_BYTES_MAX) {
        findings.add(Finding.of(path, checkout.size(path) + " bytes, allowed " + BLOB_BYTES_MAX));
      }
    }
    return findings;
  }

  static List<Finding> packageInfo(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    for (String folder : packages(checkout).keySet()) {
      if (!checkout.paths().contains(folder + "/" + PACKAGE_INFO)) {
        findings.add(Finding.of(folder, "no " + PACKAGE_INFO));
      }
    }
    return findings;
  }

  /**
   * A package that has grown past a dozen types hides another one.
   *
   * @param allowed folder to reason; an entry that is no longer needed is a finding too
   */
  static List<Finding> packageSize(Checkout checkout, Map<String, String> allowed) {
    List<Finding> findings = new ArrayList<>();
    Set<String> unused = new TreeSet<>(allowed.keySet());
    packages(checkout)
        .forEach(
            (folder, count) -> {
              if (count <= PACKAGE_FILES_MAX) {
                return;
              }
              unused.remove(folder);
              if (!allowed.containsKey(folder)) {
                findings.add(Finding.of(folder, count + " files, allowed " + PACKAGE_FILES_MAX));
              }
            });
    unused.forEach(folder -> findings.add(Finding.of(folder, "needs no leave to be large")));
    return findings;
  }

  /** Folders of main packages, with the number of their files without package-info. */
  private static SortedMap<String, Integer> packages(Checkout checkout) {
    SortedMap<String, Integer> counts = new TreeMap<>();
    for (String path : checkout.paths()) {
      if (path.contains("src/main/java/") && path.endsWith(".java")) {
        String folder = path.substring(0, path.lastIndexOf('/'));
        counts.merge(folder, path.endsWith("/" + PACKAGE_INFO) ? 0 : 1, Integer::sum);
      }
    }
    return counts;
  }

  private static List<Finding> matches(
      Checkout checkout, Pattern files, Pattern fault, String message) {
    List<Finding> findings = new ArrayList<>();
    for (String path : checkout.paths()) {
      if (!files.matcher(path).matches() || !checkout.isText(path)) {
        continue;
      }
      List<String> lines = checkout.lines(path);
      for (int i = 0; i < lines.size(); i++) {
        if (fault.matcher(lines.get(i)).find()) {
          findings.add(new Finding(path, i + 1, message));
        }
      }
    }
    return findings;
  }
}
