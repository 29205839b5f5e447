package org.sluiceca.api.console.form;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.springframework.http.MediaType;

/**
 * The fields of a form that was sent. Read here, for the container reads none: it would do so
 * before it is known who sends it.
 */
public final class ConsoleForm {

  /** A token, a form's token and a path: the most octets of a form. */
  public static final int OCTETS_MAX = 4_096;

  /**
   * The most octets of a form with a certification request, which percent-encoding makes longer.
   */
  public static final int REQUEST_OCTETS_MAX = 64 * 1_024;

  private static final int FIELDS_MAX = 16;

  private static final String ATTRIBUTE = ConsoleForm.class.getName();

  private final Map<String, String> fields;

  private ConsoleForm(Map<String, String> fields) {
    this.fields = Map.copyOf(fields);
  }

  /** Returns the form of a request that whose form was read. */
  public static ConsoleForm of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof ConsoleForm form
        ? form
        : new ConsoleForm(Map.of());
  }

  /**
   * Reads the request's body.
   *
   * @param octetsMax the most octets that it may have
   * @throws ProblemException if it is no form, is too long, or names a field twice
   */
  public static ConsoleForm read(HttpServletRequest request, int octetsMax) throws IOException {
    String type = request.getContentType();
    if (type == null
        || !type.split(";", 2)[0]
            .strip()
            .equalsIgnoreCase(MediaType.APPLICATION_FORM_URLENCODED_VALUE)) {
      throw new ProblemException(ProblemType.UNSUPPORTED_MEDIA_TYPE, "the console takes forms");
    }
    ServletInputStream body = request.getInputStream();
    byte[] octets = body.readNBytes(octetsMax + 1);
    if (octets.length > octetsMax) {
      throw new ProblemException(
          ProblemType.BODY_TOO_LARGE,
          String.format(Locale.ROOT, "this form has at most %d KiB", octetsMax / 1_024));
    }
    ConsoleForm form = new ConsoleForm(parse(new String(octets, StandardCharsets.UTF_8)));
    request.setAttribute(ATTRIBUTE, form);
    return form;
  }

  private static Map<String, String> parse(String text) {
    Map<String, String> fields = new HashMap<>();
    for (String pair : text.isEmpty() ? new String[0] : text.split("&", FIELDS_MAX + 1)) {
      String[] parts = pair.split("=", 2);
      String value = parts.length == 2 ? decoded(parts[1]) : "";
      if (fields.put(decoded(parts[0]), value) != null || fields.size() > FIELDS_MAX) {
        throw new ProblemException(
            ProblemType.MALFORMED_REQUEST, "the form has a field twice, or too many");
      }
    }
    return fields;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(
          ProblemType.MALFORMED_REQUEST, "the form has a broken percent-encoding");
    }
  }

  /** Returns a field's value; empty if the form has none of that name. */
  public String field(String name) {
    return fields.getOrDefault(name, "");
  }
}
