package org.sluiceca.load.profile;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a stack belongs to. Frames are {@code class.method}, the innermost first. Immutable. */
final class Frames {

  static final String BEFORE = "before the controller";
  static final String OTHER = "other threads";

  private static final Pattern OURS = Pattern.compile("org\\.sluiceca\\.(\\w+\\.\\w+)\\..*");
  private static final Pattern CONTROLLER =
      Pattern.compile("org\\.sluiceca\\..*Controller\\.(\\w+)");

  private record Rule(String part, String prefix) {}

  /** The first one that fits the innermost frame that any fits. */
  private static final List<Rule> RULES =
      List.of(
          new Rule("TLS", "sun.security.ssl."),
          new Rule("signatures and keys", "org.bouncycastle."),
          new Rule("signatures and keys", "sun.security.ec."),
          new Rule("PKCS#11", "iaik."),
          new Rule("JWS", "com.nimbusds."),
          new Rule("JSON", "tools.jackson."),
          new Rule("database driver and pool", "org.postgresql."),
          new Rule("database driver and pool", "com.zaxxer."),
          new Rule("Spring", "org.springframework."),
          new Rule("metrics", "io.micrometer."),
          new Rule("log", "ch.qos.logback."),
          new Rule("HTTP and sockets", "org.apache."));

  private Frames() {}

  /** The library or the package of ours that uses the processor. */
  static String part(List<String> frames) {
    for (String frame : frames) {
      for (Rule rule : RULES) {
        if (frame.startsWith(rule.prefix())) {
          return rule.part();
        }
      }
      Matcher ours = OURS.matcher(frame);
      if (ours.matches()) {
        return "Sluice: " + ours.group(1).replace("api.", "").replace('.', '/');
      }
    }
    return "JDK";
  }

  /**
   * The method of a controller that was called for a request, or what the thread does otherwise.
   */
  static String request(List<String> frames) {
    String request = OTHER;
    for (String frame : frames) {
      Matcher controller = CONTROLLER.matcher(frame);
      if (controller.matches()) {
        request = controller.group(1);
      } else if (request.equals(OTHER) && frame.startsWith("org.apache.")) {
        request = BEFORE;
      }
    }
    return request;
  }
}
