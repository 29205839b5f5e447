package org.sluiceca.client.http;

import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * Why the service refused (RFC 9457): its status, title and detail in one line.
 *
 * @param status the HTTP status
 * @param type the problem type, {@code about:blank} where none is given
 * @param title a few words
 * @param detail what is wrong with this request, or empty
 */
public record Problem(int status, String type, String title, String detail) {

  /** The problem of an answer; {@code body} is a missing node where it was not JSON. */
  public static Problem of(int status, JsonNode body) {
    return new Problem(
        status,
        body.path("type").asString("about:blank"),
        body.path("title").asString("refused"),
        body.path("detail").asString(""));
  }

  /** Whether the type is one of Sluice's own, so that its title says more than the status does. */
  public boolean isTyped() {
    return type.startsWith("/problems/");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%d %s%s", status, title, detail.isEmpty() ? "" : ": " + detail);
  }
}
