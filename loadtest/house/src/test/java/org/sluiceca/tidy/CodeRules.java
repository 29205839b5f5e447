package org.sluiceca.tidy;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnionTypeTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Rules about Java code, read from javac's trees, so that no string or comment deceives them. */
final class CodeRules {

  static final int METHOD_LINES_MAX = 70;
  static final int PARAMETERS_MAX = 8;

  private static final Set<String> LAST_WORDS =
      Set.of(
          "Manager",
          "Helper",
          "Util",
          "Utils",
          "Tools",
          "Processor",
          "Data",
          "Info",
          "Impl",
          "Bean",
          "Misc");
  private static final Set<String> FIRST_WORDS = Set.of("Base", "Abstract", "Common");

  /** Terms of a standard keep their names. */
  private static final Set<String> STANDARD_TERMS =
      Set.of("SubjectPublicKeyInfo", "TokenInfo", "CommonName");

  private static final Pattern WORD_START = Pattern.compile("(?=[A-Z])");
  private static final Pattern SELECT_STAR = Pattern.compile("(?i)\\bselect\\s+(\\w+\\.)?\\*");
  private static final Set<String> CATCH_ALLS =
      Set.of("Exception", "Throwable", "java.lang.Exception", "java.lang.Throwable");
  private static final String INITIALIZER = "<init>";

  private CodeRules() {}

  static List<Finding> methodLength(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    for (JavaFile file : checkout.java()) {
      for (MethodTree method : file.all(MethodTree.class)) {
        long length = file.length(method);
        if (length > METHOD_LINES_MAX) {
          findings.add(
              file.finding(
                  method,
                  "method %s has %d lines, allowed %d"
                      .formatted(method.getName(), length, METHOD_LINES_MAX)));
        }
      }
    }
    return findings;
  }

  /** A record's components are its content, not its collaborators. */
  static List<Finding> parameterCount(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    for (JavaFile file : checkout.java()) {
      for (ClassTree type : file.all(ClassTree.class)) {
        for (Tree member : type.getMembers()) {
          if (member instanceof MethodTree method
              && method.getParameters().size() > PARAMETERS_MAX
              && !(type.getKind() == Tree.Kind.RECORD
                  && method.getName().contentEquals(INITIALIZER))) {
            findings.add(
                file.finding(
                    method,
                    "%s of %s has %d parameters, allowed %d"
                        .formatted(
                            method.getName(),
                            type.getSimpleName(),
                            method.getParameters().size(),
                            PARAMETERS_MAX)));
          }
        }
      }
    }
    return findings;
  }

  static List<Finding> typeNames(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    for (JavaFile file : checkout.java()) {
      for (ClassTree type : file.all(ClassTree.class)) {
        String name = type.getSimpleName().toString();
        List<String> words = WORD_START.splitAsStream(name).toList();
        if (!name.isEmpty()
            && !STANDARD_TERMS.contains(name)
            && (LAST_WORDS.contains(words.getLast()) || FIRST_WORDS.contains(words.getFirst()))) {
          findings.add(file.finding(type, "type name " + name + " says nothing"));
        }
      }
    }
    return findings;
  }

  /**
   * Only named types are caught.
   *
   * @param allowed path to reason; an entry that is no longer needed is a finding too
   */
  static List<Finding> catchAlls(Checkout checkout, Map<String, String> allowed) {
    List<Finding> findings = new ArrayList<>();
    Set<String> unused = new TreeSet<>(allowed.keySet());
    for (JavaFile file : checkout.java()) {
      for (CatchTree caught : file.all(CatchTree.class)) {
        Tree type = caught.getParameter().getType();
        List<? extends Tree> types =
            type instanceof UnionTypeTree union ? union.getTypeAlternatives() : List.of(type);
        if (types.stream().noneMatch(t -> CATCH_ALLS.contains(t.toString()))) {
          continue;
        }
        unused.remove(file.path());
        if (!allowed.containsKey(file.path())) {
          findings.add(file.finding(caught, "catches " + type));
        }
      }
    }
    unused.forEach(path -> findings.add(Finding.of(path, "needs no leave to catch all any more")));
    return findings;
  }

  static List<Finding> sleepsInTests(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    for (JavaFile file : checkout.java()) {
      if (!file.isTest()) {
        continue;
      }
      for (MethodInvocationTree call : file.all(MethodInvocationTree.class)) {
        if (call.getMethodSelect() instanceof MemberSelectTree select
            && select.getIdentifier().contentEquals("sleep")
            && (select.getExpression().toString().endsWith("Thread")
                || select.getExpression().toString().contains("TimeUnit"))) {
          findings.add(file.finding(call, "a test waits for a condition, never for a time"));
        }
      }
    }
    return findings;
  }

  static List<Finding> disabledTests(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    for (JavaFile file : checkout.java()) {
      for (AnnotationTree annotation : file.all(AnnotationTree.class)) {
        String name = annotation.getAnnotationType().toString();
        if (name.equals("Disabled") || name.endsWith(".Disabled")) {
          findings.add(file.finding(annotation, "a test runs or is deleted"));
        }
      }
    }
    return findings;
  }

  /** Columns are listed, in Java's strings and in migrations. */
  static List<Finding> selectStar(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    for (JavaFile file : checkout.java()) {
      for (LiteralTree literal : file.all(LiteralTree.class)) {
        if (literal.getValue() instanceof String text && SELECT_STAR.matcher(text).find()) {
          findings.add(file.finding(literal, "list the columns"));
        }
      }
    }
    for (String path : checkout.paths()) {
      if (path.endsWith(".sql") && SELECT_STAR.matcher(checkout.text(path)).find()) {
        findings.add(Finding.of(path, "list the columns"));
      }
    }
    return findings;
  }
}
