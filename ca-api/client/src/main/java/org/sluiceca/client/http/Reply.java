package org.sluiceca.client.http;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.sluiceca.client.output.Failure;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * An answer of the service.
 *
 * @param status of HTTP
 * @param headers of HTTP
 * @param body at most {@link Service#BODY_MAX} octets
 */
@SuppressWarnings("ArrayRecordComponent") // Read by this module alone, which changes none.
public record Reply(int status, HttpHeaders headers, byte[] body) {
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final Pattern LAST_SEGMENT = Pattern.compile(".*/([0-9a-fA-F-]{1,40})");

  /** The body as text. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** The body as JSON. Fails if it is none: then something else than Sluice has answered. */
  public JsonNode json() {
    JsonNode node = node();
    if (node.isMissingNode()) {
      throw Failure.of("the answer is not JSON: is this the URL of a Sluice service?");
    }
    return node;
  }

  /** What the body says of a refusal. */
  public Problem problem() {
    return Problem.of(status, node());
  }

  /** The last segment of {@code Location}: a serial number or the id of an order or a job. */
  public Optional<String> locationId() {
    return headers
        .firstValue("Location")
        .map(LAST_SEGMENT::matcher)
        .filter(m -> m.matches())
        .map(m -> m.group(1));
  }

  private JsonNode node() {
    try {
      return body.length == 0 ? MissingNode.getInstance() : MAPPER.readTree(body);
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    }
  }
}
