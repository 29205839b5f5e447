package org.sluiceca.client.acme;

import java.util.List;
import java.util.regex.Pattern;
import org.sluiceca.client.output.Failure;
import tools.jackson.databind.JsonNode;

/**
 * A binding that was just made, in the only answer that has its key. Its texts go into lines that a
 * shell runs, so any other character than those of base64url and of URLs is refused.
 *
 * @param directory the URL that a client of ACME begins with
 * @param kid its name, which is no secret
 * @param hmacKey base64url
 * @param endpoint its name
 */
record Binding(String directory, String kid, String hmacKey, String endpoint) {
  static final String PATH = "/v1/acme-bindings";

  private static final Pattern KID = Pattern.compile("[A-Za-z0-9_-]{8,64}");
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{16,512}");
  private static final Pattern DIRECTORY =
      Pattern.compile("https://[A-Za-z0-9.:_~\\[\\]-]{1,300}(/[A-Za-z0-9._~%-]{1,200}){1,20}");

  /** The binding of an answer. Fails, without repeating its texts, if it is none with a key. */
  static Binding of(JsonNode answer, String endpoint) {
    return new Binding(
        text(answer, "directory", DIRECTORY),
        text(answer, "kid", KID),
        text(answer, "hmacKey", KEY),
        endpoint);
  }

  private static String text(JsonNode answer, String member, Pattern form) {
    String text = answer.path(member).asString("");
    if (!form.matcher(text).matches()) {
      throw Failure.of("the answer has no " + member + " that a client of ACME can use");
    }
    return text;
  }

  /** Whether this is the form of a kid. */
  static boolean isKid(String text) {
    return KID.matcher(text).matches();
  }

  /** The command that revokes a binding; a kid may begin as an option does. */
  static String revocation(String kid) {
    return "sluice eab revoke " + (kid.startsWith("-") ? "-- " : "") + kid;
  }

  /** The name to try it with: the first of its name space, or one that it covers. */
  static String example(List<String> names) {
    String first = names.getFirst();
    if (first.equals("*")) {
      return "www.example.com";
    }
    return first.startsWith("*.") ? "www" + first.substring(1) : first;
  }

  /** Without the key. */
  @Override
  public String toString() {
    return kid;
  }
}
