package org.sluiceca.client.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service's OpenAPI document, which the server's own tests keep true. */
final class Contract {
  private static final Path FILE = Path.of("../src/main/resources/openapi.json");

  private Contract() {}

  static JsonNode component(String name) throws IOException {
    return document().at("/components/schemas/" + name);
  }

  /** The example of an answer, in one line. */
  static String example(String method, String path, int status) throws IOException {
    JsonNode content =
        document()
            .path("paths")
            .path(path)
            .path(method)
            .path("responses")
            .path(Integer.toString(status))
            .path("content")
            .path("application/json");
    JsonNode example = content.path("example");
    if (example.isMissingNode()) {
      JsonNode first = content.path("examples").iterator().next();
      String reference = first.path("$ref").asString("");
      example = (reference.isEmpty() ? first : document().at(reference.substring(1))).path("value");
    }
    return example.toString();
  }

  private static JsonNode document() throws IOException {
    return JsonMapper.shared().readTree(Files.readString(FILE));
  }
}
