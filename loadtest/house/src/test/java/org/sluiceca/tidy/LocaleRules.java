package org.sluiceca.tidy;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Text that this product writes is the same on every machine: SQL, JSON, file names and messages
 * have ASCII digits wherever the machine stands.
 */
final class LocaleRules {

  static final String FIRST_STATEMENT = "Locale.setDefault(Locale.ROOT)";

  private static final Set<String> CASE_CHANGES = Set.of("toLowerCase", "toUpperCase");

  /** Types whose objects take the default locale if their constructor is given none. */
  private static final Set<String> FORMATTERS =
      Set.of("DecimalFormat", "SimpleDateFormat", "MessageFormat", "Formatter", "Scanner");

  /** Factories that take the default locale if they are given none. */
  private static final Set<String> FACTORIES =
      Set.of("DateTimeFormatter.ofPattern", "NumberFormat.getInstance", "Collator.getInstance");

  private LocaleRules() {}

  /** In main code every call that depends on a locale names it. */
  static List<Finding> formats(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    for (JavaFile file : checkout.java()) {
      if (file.isTest()) {
        continue;
      }
      for (MethodInvocationTree call : file.all(MethodInvocationTree.class)) {
        if (isByDefaultLocale(call)) {
          findings.add(file.finding(call, "name the locale: String.format(Locale.ROOT, …)"));
        }
      }
      for (MemberReferenceTree reference : file.all(MemberReferenceTree.class)) {
        String name = reference.getName().toString();
        if (name.equals("formatted") || CASE_CHANGES.contains(name)) {
          findings.add(file.finding(reference, "name the locale: no reference to " + name));
        }
      }
      for (NewClassTree made : file.all(NewClassTree.class)) {
        if (FORMATTERS.contains(made.getIdentifier().toString())
            && !namesLocale(made.getArguments())) {
          findings.add(file.finding(made, "name the locale of " + made.getIdentifier()));
        }
      }
    }
    return findings;
  }

  /** Libraries write text too: each program sets the default locale before it does anything. */
  static List<Finding> programs(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    for (JavaFile file : checkout.java()) {
      if (file.isTest()) {
        continue;
      }
      for (MethodTree method : file.all(MethodTree.class)) {
        if (method.getName().contentEquals("main")
            && method.getBody() != null
            && method.getModifiers().toString().contains("static")
            && (method.getBody().getStatements().isEmpty()
                || !method
                    .getBody()
                    .getStatements()
                    .getFirst()
                    .toString()
                    .startsWith(FIRST_STATEMENT))) {
          findings.add(file.finding(method, "main begins with " + FIRST_STATEMENT));
        }
      }
    }
    return findings;
  }

  private static boolean isByDefaultLocale(MethodInvocationTree call) {
    if (!(call.getMethodSelect() instanceof MemberSelectTree select)) {
      return false;
    }
    String name = select.getIdentifier().toString();
    String receiver = select.getExpression().toString();
    if (CASE_CHANGES.contains(name)) {
      return call.getArguments().isEmpty();
    }
    return switch (name) {
      case "formatted" -> true;
      case "printf" -> !namesLocale(call.getArguments());
      case "format" ->
          (receiver.equals("String") || receiver.equals("System.out"))
              && !namesLocale(call.getArguments());
      default -> FACTORIES.contains(receiver + "." + name) && !namesLocale(call.getArguments());
    };
  }

  private static boolean namesLocale(List<? extends ExpressionTree> arguments) {
    return arguments.stream().map(Tree::toString).anyMatch(a -> a.startsWith("Locale."));
  }
}
