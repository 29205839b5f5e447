package org.sluiceca.client.credential;

import java.util.function.Predicate;
import org.sluiceca.client.http.Pages;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.output.Failure;
import tools.jackson.databind.JsonNode;

/** The service's credentials, page after page. */
final class CredentialPages {
  static final String PATH = "/v1/credentials";

  /** What a page holds at most (docs/protocols/REST.md). */
  private static final int PAGE_MAX = 1000;

  private CredentialPages() {}

  /** Hands over each page, an array, until one is enough or the last one was read. */
  static void read(Service service, Predicate<JsonNode> isEnough) {
    Pages.read(service, PATH, PAGE_MAX, "credentials", isEnough);
  }

  /** The credential of this id, whether or not it is still valid. */
  static JsonNode find(Service service, String id) {
    JsonNode[] found = new JsonNode[1];
    read(
        service,
        page -> {
          for (JsonNode credential : page.values()) {
            if (credential.path("id").asString("").equals(id)) {
              found[0] = credential;
            }
          }
          return found[0] != null;
        });
    if (found[0] == null) {
      throw Failure.of("no credential " + id + ": sluice credential list shows them");
    }
    return found[0];
  }
}
