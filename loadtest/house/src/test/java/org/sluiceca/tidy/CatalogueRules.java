package org.sluiceca.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules that hold a catalogue in the docs equal to what the code has: failures and metrics. */
final class CatalogueRules {

  static final String FAILURES = "docs/FAILURES.md";
  static final String INVARIANTS = "docs/INVARIANTS.md";
  static final String OPERATIONS = "docs/OPERATIONS.md";
  static final String TESTING = "docs/TESTING.md";

  /** Where the sealed failures and closed lists are: type name by file. */
  static final Map<String, String> FAILURE_TYPES =
      Map.of(
          "hsm-adapter/src/main/java/org/sluiceca/hsm/HsmException.java", "HsmException",
          "hsm-adapter/src/main/java/org/sluiceca/hsm/vendor/FailureClass.java", "FailureClass",
          "ca-core/src/main/java/org/sluiceca/core/failure/CaUnavailable.java", "CaUnavailable",
          "ca-core/src/main/java/org/sluiceca/core/failure/Rejection.java", "Reason",
          "ca-core/src/main/java/org/sluiceca/core/admit/AdmissionDecision.java", "Cause",
          "ca-core/src/main/java/org/sluiceca/core/intent/Outcome.java", "Reason",
          "ca-api/src/main/java/org/sluiceca/api/http/problem/ProblemType.java", "ProblemType");

  private static final Pattern ROW_NAME = Pattern.compile("^\\| *`([A-Za-z_]+)` *\\|");

  /** A test class, one of its methods, or both, as code. */
  private static final Pattern TEST_NAME =
      Pattern.compile("`(?:([A-Z]\\w*(?:Test|IT|Contract))\\.?)?([a-z]\\w*_\\w+)?`");

  /** The heading of the table of nightly tests: the test, its promise, what guards that in CI. */
  private static final String NIGHTLY = "## What the nightly tier has besides";

  private static final Pattern NIGHTLY_ROW =
      Pattern.compile("^\\| *`(\\w+(?:\\.\\w+)?)` *\\|[^|]*\\|([^|]*)\\|");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private static final Pattern METER = Pattern.compile("ca\\.[a-z0-9]+(?:\\.[a-z0-9]+)*");
  private static final Pattern DOCUMENTED = Pattern.compile("\\bca_[a-z0-9_]+");

  /** Three words at least: a script's own variables are shorter. */
  private static final Pattern SCRIPTED = Pattern.compile("\\bca_[a-z0-9]+_[a-z0-9_]+");

  /** What the Prometheus registry adds to a meter's name for its type and unit. */
  private static final Pattern SUFFIX =
      Pattern.compile("(?:_total|(?:_seconds)?(?:_count|_sum)?)$");

  /** Where operators' files ask for metrics: scripts, alerts and their runbook, dashboards. */
  private static final Pattern ASKING =
      Pattern.compile("deploy/.*\\.(?:sh|yaml|json)|docs/ALERTS\\.md");

  private CatalogueRules() {}

  /** Every variant has a row that begins with its name, and every row speaks of a variant. */
  static List<Finding> failures(Checkout checkout, Map<String, String> types) {
    List<Finding> findings = new ArrayList<>();
    SortedSet<String> inCode = new TreeSet<>();
    types.forEach(
        (path, type) -> {
          SortedSet<String> variants = new TreeSet<>();
          checkout.java(path).forEach(file -> variants.addAll(variants(file, type)));
          if (variants.isEmpty()) {
            findings.add(Finding.of(path, "no variants of " + type + ": was it moved?"));
          }
          inCode.addAll(variants);
        });
    SortedSet<String> inDocument = new TreeSet<>();
    for (String line : linesOf(checkout, FAILURES)) {
      Matcher row = ROW_NAME.matcher(line);
      if (row.find()) {
        inDocument.add(row.group(1));
      }
    }
    difference(inCode, inDocument)
        .forEach(name -> findings.add(Finding.of(FAILURES, "no row for " + name)));
    difference(inDocument, inCode)
        .forEach(name -> findings.add(Finding.of(FAILURES, "row for unknown " + name)));
    return findings;
  }

  /** The classes that extend a sealed class inside it, or the constants of an enum. */
  private static List<String> variants(JavaFile file, String name) {
    List<String> variants = new ArrayList<>();
    for (ClassTree type : file.all(ClassTree.class)) {
      Tree parent = type.getExtendsClause();
      if (parent != null && parent.toString().equals(name)) {
        variants.add(type.getSimpleName().toString());
      }
      if (type.getKind() == Tree.Kind.ENUM && type.getSimpleName().contentEquals(name)) {
        for (Tree member : type.getMembers()) {
          // A constant is a field of the enum's own type; javac gives it no modifiers of ours.
          if (member instanceof VariableTree constant
              && String.valueOf(constant.getType()).equals(name)) {
            variants.add(constant.getName().toString());
          }
        }
      }
    }
    return variants;
  }

  /** What code registers is documented, and conversely; what is deployed asks for no other. */
  static List<Finding> metrics(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    SortedSet<String> registered = new TreeSet<>();
    for (JavaFile file : checkout.java()) {
      if (file.isTest()) {
        continue;
      }
      for (LiteralTree literal : file.all(LiteralTree.class)) {
        if (literal.getValue() instanceof String text && METER.matcher(text).matches()) {
          registered.add(bare(text.replace('.', '_')));
        }
      }
    }
    SortedSet<String> documented = named(checkout, OPERATIONS, DOCUMENTED);
    difference(registered, documented)
        .forEach(name -> findings.add(Finding.of(OPERATIONS, "metric not described: " + name)));
    difference(documented, registered)
        .forEach(name -> findings.add(Finding.of(OPERATIONS, "no code registers " + name)));
    for (String path : checkout.paths()) {
      if (ASKING.matcher(path).matches() && !Checkout.isTest(path)) {
        difference(named(checkout, path, SCRIPTED), registered)
            .forEach(name -> findings.add(Finding.of(path, "no code registers " + name)));
      }
    }
    return findings;
  }

  /** The tests that docs/INVARIANTS.md relies on exist: a renamed one must be renamed there too. */
  static List<Finding> invariants(Checkout checkout) {
    SortedSet<String> names = new TreeSet<>();
    for (JavaFile file : checkout.java()) {
      if (file.isTest()) {
        names.add(file.name());
        file.all(MethodTree.class).forEach(method -> names.add(method.getName().toString()));
      }
    }
    List<Finding> findings = new ArrayList<>();
    for (String line : linesOf(checkout, INVARIANTS)) {
      Matcher test = TEST_NAME.matcher(line);
      while (test.find()) {
        for (String name : new String[] {test.group(1), test.group(2)}) {
          if (name != null && !names.contains(name)) {
            findings.add(Finding.of(INVARIANTS, "no such test: " + name));
          }
        }
      }
    }
    return findings;
  }

  /**
   * What CI does not run guards no promise alone: each test of the nightly tier has a row in
   * docs/TESTING.md that names at least one test of the CI tier, and that test is there.
   */
  static List<Finding> nightlyTests(Checkout checkout) {
    SortedSet<String> nightly = new TreeSet<>();
    SortedSet<String> inCi = new TreeSet<>();
    for (JavaFile file : checkout.java()) {
      if (!file.isTest()) {
        continue;
      }
      for (ClassTree type : file.all(ClassTree.class)) {
        String name = type.getSimpleName().toString();
        boolean all = isNightly(type.getModifiers());
        (all ? nightly : inCi).add(name);
        for (Tree member : type.getMembers()) {
          if (member instanceof MethodTree method && !all) {
            (isNightly(method.getModifiers()) ? nightly : inCi).add(name + "." + method.getName());
          }
        }
      }
    }
    List<Finding> findings = new ArrayList<>();
    SortedSet<String> described = new TreeSet<>();
    for (String line : section(checkout, TESTING, NIGHTLY)) {
      Matcher row = NIGHTLY_ROW.matcher(line);
      if (row.find()) {
        described.add(row.group(1));
        findings.addAll(guards(checkout, row, inCi));
      }
    }
    difference(nightly, described)
        .forEach(name -> findings.add(Finding.of(TESTING, "no row for nightly " + name)));
    difference(described, nightly)
        .forEach(name -> findings.add(Finding.of(TESTING, "not a nightly test: " + name)));
    return findings;
  }

  /** At least one test, or script, of the CI tier is named, and each that is named exists. */
  private static List<Finding> guards(Checkout checkout, Matcher row, Set<String> inCi) {
    List<String> named = CODE.matcher(row.group(2)).results().map(code -> code.group(1)).toList();
    if (named.isEmpty()) {
      return List.of(Finding.of(TESTING, "no guard in CI for " + row.group(1)));
    }
    return named.stream()
        .filter(guard -> !inCi.contains(guard) && !checkout.exists(guard))
        .map(guard -> Finding.of(TESTING, "not in the CI tier: " + guard))
        .toList();
  }

  /** The lines below a heading, up to the next one of its rank. */
  private static List<String> section(Checkout checkout, String path, String heading) {
    return linesOf(checkout, path).stream()
        .dropWhile(line -> !line.equals(heading))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .toList();
  }

  private static boolean isNightly(ModifiersTree modifiers) {
    return modifiers.getAnnotations().stream()
        .map(Object::toString)
        .anyMatch(annotation -> annotation.matches("@Tag\\(\"nightly\"\\)"));
  }

  private static SortedSet<String> named(Checkout checkout, String path, Pattern names) {
    SortedSet<String> found = new TreeSet<>();
    for (String line : linesOf(checkout, path)) {
      Matcher name = names.matcher(line);
      while (name.find()) {
        found.add(bare(name.group()));
      }
    }
    return found;
  }

  /** The name without what the registry adds; a gauge in seconds loses it on both sides alike. */
  private static String bare(String name) {
    return SUFFIX.matcher(name).replaceFirst("");
  }

  private static List<String> linesOf(Checkout checkout, String path) {
    return checkout.paths().contains(path) ? checkout.lines(path) : List.of();
  }

  private static SortedSet<String> difference(Set<String> left, Set<String> right) {
    SortedSet<String> rest = new TreeSet<>(left);
    rest.removeAll(right);
    return rest;
  }
}
