package org.sluiceca.tidy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules about documents: what they point to is there, and what points to them is right. */
final class DocumentRules {

  private static final String DECISIONS = "docs/adr/";
  private static final String DECISIONS_INDEX = DECISIONS + "README.md";

  private static final Pattern FENCE = Pattern.compile("^ *(```|~~~)");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern LINK = Pattern.compile("\\]\\(<?([^)\\s>]+)>?(?: \"[^\"]*\")?\\)");
  private static final Pattern EXTERNAL = Pattern.compile("^[a-z][a-z0-9+.-]*:.*");
  private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*?) *#*$");
  private static final Pattern DECISION = Pattern.compile("docs/adr/([0-9]{4}-[a-z0-9-]+\\.md)");

  /** A document named in code or in another document, such as {@code docs/adr/0002}. */
  private static final Pattern MENTION =
      Pattern.compile("(?<![\\w/.-])docs/[A-Za-z0-9_/-]+(?:\\.md)?");

  private DocumentRules() {}

  static List<Finding> links(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    for (String path : checkout.paths()) {
      if (!path.endsWith(".md")) {
        continue;
      }
      List<String> prose = prose(checkout, path);
      for (int i = 0; i < prose.size(); i++) {
        Matcher link = LINK.matcher(CODE.matcher(prose.get(i)).replaceAll("code"));
        while (link.find()) {
          String target = link.group(1);
          if (!EXTERNAL.matcher(target).matches() && !leads(checkout, path, target)) {
            findings.add(new Finding(path, i + 1, "dead link " + target));
          }
        }
      }
    }
    return findings;
  }

  /** Code and scripts send their readers to documents that are there. */
  static List<Finding> mentions(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    for (String path : checkout.paths()) {
      if (!path.matches(".*\\.(java|sh|xml|ya?ml|md)|sluice") || Checkout.isTest(path)) {
        continue;
      }
      List<String> lines = checkout.lines(path);
      for (int i = 0; i < lines.size(); i++) {
        Matcher mention = MENTION.matcher(lines.get(i));
        while (mention.find()) {
          String name = mention.group();
          boolean isThere =
              checkout.exists(name)
                  || checkout.exists(name + ".md")
                  || checkout.exists(name + ".png")
                  || (name.startsWith(DECISIONS)
                      && checkout.paths().stream().anyMatch(p -> p.startsWith(name)));
          if (!isThere) {
            findings.add(new Finding(path, i + 1, "no such document: " + name));
          }
        }
      }
    }
    return findings;
  }

  static List<Finding> decisionsListed(Checkout checkout) {
    List<Finding> findings = new ArrayList<>();
    String index = checkout.paths().contains(DECISIONS_INDEX) ? checkout.text(DECISIONS_INDEX) : "";
    for (String path : checkout.paths()) {
      Matcher decision = DECISION.matcher(path);
      if (decision.matches() && !index.contains("](" + decision.group(1) + ")")) {
        findings.add(Finding.of(path, "not linked from " + DECISIONS_INDEX));
      }
    }
    return findings;
  }

  /** The lines outside code blocks, those inside left empty. */
  private static List<String> prose(Checkout checkout, String path) {
    List<String> prose = new ArrayList<>();
    boolean isCode = false;
    for (String line : checkout.lines(path)) {
      boolean isFence = FENCE.matcher(line).find();
      isCode ^= isFence;
      prose.add(isCode || isFence ? "" : line);
    }
    return prose;
  }

  private static boolean leads(Checkout checkout, String from, String target) {
    int hash = target.indexOf('#');
    String file = hash < 0 ? target : target.substring(0, hash);
    String path = file.isEmpty() ? from : resolve(from, file);
    if (!checkout.exists(path)) {
      return false;
    }
    return hash < 0
        || !path.endsWith(".md")
        || hasAnchor(checkout, path, target.substring(hash + 1));
  }

  private static String resolve(String from, String target) {
    Path base = Path.of("/" + from).getParent();
    Path there = base == null ? Path.of("/" + target) : base.resolve(target);
    return there.normalize().toString().substring(1);
  }

  /** Headings become anchors as the common renderers make them. */
  private static boolean hasAnchor(Checkout checkout, String path, String anchor) {
    for (String line : prose(checkout, path)) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches() && slug(heading.group(1)).equals(anchor)) {
        return true;
      }
    }
    return false;
  }

  private static String slug(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }
}
