import java.io.IOException;
import java.util.Locale;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares libraries with the list of published vulnerabilities next to this file: {@code java Advisories.java LIST LIBRARIES [DATE]},
 * where LIBRARIES is an SBOM (CycloneDX JSON) or a folder of jars, and DATE that of a release, for which the list may not be too old. One line for each vulnerability that affects a library, with the
 * version to take. Exit codes: 0 none, 1 at least one or a list that is too old, 2 a list or libraries that cannot be read.
 */
final class Advisories {

  /** A jar's file name: the version begins at the first digit after a hyphen. */
  private static final Pattern JAR = Pattern.compile("(.+?)-([0-9][A-Za-z0-9.+_-]*)\\.jar");

  /** Of libraries, and of the Java runtime, which no registry has. */
  private static final Pattern PURL =
      Pattern.compile(
          "\"purl\"\\s*:\\s*\"pkg:(?:maven/[^/\"]+|generic)/([^@\"]+)@([^?\"]+)[^\"]*\"");

  private static final int COLUMNS = 7;

  /** Libraries publish about once a month; docs/RELEASING.md asks for a look in the month of a release. */
  private static final int DAYS_MAX = 31;

  record Library(String artifact, String version) {}

  record Advisory(
      String id, String artifact, String from, String fixed, boolean affects, String why) {

    boolean hits(Library library) {
      return matches(library.artifact())
          && compare(library.version(), from) >= 0
          && (fixed.equals("-") || compare(library.version(), fixed) < 0);
    }

    private boolean matches(String name) {
      return artifact.endsWith("*")
          ? name.startsWith(artifact.substring(0, artifact.length() - 1))
          : name.equals(artifact);
    }
  }

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    try {
      if (arguments.length != 2 && arguments.length != 3) {
        throw new IllegalArgumentException("usage: java Advisories.java LIST LIBRARIES [DATE]");
      }
      Path list = Path.of(arguments[0]);
      int status = report(advisories(list), libraries(Path.of(arguments[1])));
      if (arguments.length == 3 && isTooOld(asOf(list), LocalDate.parse(arguments[2]))) {
        status = 1;
      }
      System.exit(status);
    } catch (IOException | IllegalArgumentException | DateTimeParseException e) {
      System.err.println("advisories: " + e.getMessage());
      System.exit(2);
    }
  }

  private static boolean isTooOld(LocalDate asOf, LocalDate release) {
    long days = ChronoUnit.DAYS.between(asOf, release);
    System.out.printf(Locale.ROOT, "the list is of %s, %d days before %s%n", asOf, days, release);
    if (days > DAYS_MAX) {
      System.err.printf(
          Locale.ROOT, "advisories: the list of %s is older than %d days: read the libraries' advisories and set its date (docs/RELEASING.md)%n",
          asOf, DAYS_MAX);
    }
    return days > DAYS_MAX;
  }

  private static int report(List<Advisory> advisories, List<Library> libraries) {
    int affected = 0;
    int judged = 0;
    for (Library library : libraries) {
      for (Advisory advisory : advisories) {
        if (!advisory.hits(library)) {
          continue;
        }
        judged++;
        if (advisory.affects()) {
          affected++;
          System.err.printf(
              Locale.ROOT, "advisories: %s affects %s %s (%s): %s%n",
              advisory.id(),
              library.artifact(),
              library.version(),
              advisory.why(),
              advisory.fixed().equals("-") ? "no fixed version yet" : "take " + advisory.fixed());
        }
      }
    }
    System.out.printf(
        Locale.ROOT, "%d libraries, %d advisories: %d affect them, %d of their versions do not apply here%n",
        libraries.size(), advisories.size(), affected, judged - affected);
    return affected == 0 ? 0 : 1;
  }

  static List<Advisory> advisories(Path list) throws IOException {
    List<Advisory> advisories = new ArrayList<>();
    int number = 0;
    asOf(list);
    for (String line : Files.readAllLines(list)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] cell = line.split("\t", -1);
      boolean affects = cell.length == COLUMNS && cell[4].equals("affects");
      if (cell.length != COLUMNS
          || !affects && !cell[4].equals("not-affected")
          || cell[5].isBlank()
          || !cell[6].startsWith("https://")) {
        throw new IllegalArgumentException(
            list + ":" + number + " is not seven columns with a verdict, a reason and a source");
      }
      advisories.add(new Advisory(cell[0], cell[1], cell[2], cell[3], affects, cell[5]));
    }
    return advisories;
  }

  private static LocalDate asOf(Path list) throws IOException {
    String mark = "# as-of\t";
    return Files.readAllLines(list).stream()
        .filter(line -> line.startsWith(mark))
        .map(line -> LocalDate.parse(line.substring(mark.length())))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(list + " has no line '# as-of<TAB>DATE'"));
  }

  static List<Library> libraries(Path source) throws IOException {
    List<Library> libraries = new ArrayList<>();
    if (Files.isDirectory(source)) {
      try (var jars = Files.newDirectoryStream(source, "*.jar")) {
        for (Path jar : jars) {
          Matcher name = JAR.matcher(jar.getFileName().toString());
          if (!name.matches()) {
            throw new IllegalArgumentException(jar + " has no version in its name");
          }
          libraries.add(new Library(name.group(1), name.group(2)));
        }
      }
    } else {
      Matcher purl = PURL.matcher(Files.readString(source));
      while (purl.find()) {
        libraries.add(new Library(purl.group(1), purl.group(2)));
      }
    }
    if (libraries.isEmpty()) {
      throw new IllegalArgumentException(source + " names no library");
    }
    return libraries;
  }

  /** Numbers by value, a missing one is 0; a milestone or candidate comes before its release. */
  static int compare(String one, String other) {
    String[] a = one.split("[.-]");
    String[] b = other.split("[.-]");
    for (int i = 0; i < Math.max(a.length, b.length); i++) {
      int order = Long.compare(rank(i < a.length ? a[i] : "0"), rank(i < b.length ? b[i] : "0"));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** Words such as M1, RC2 or alpha are below 0; "Final", "RELEASE" and "jre8" say nothing. */
  private static long rank(String part) {
    if (part.matches("[0-9]{1,18}")) {
      return Long.parseLong(part);
    }
    return part.matches("(?i)(m|rc|cr|alpha|beta|snapshot).*") ? -1 : 0;
  }
}
