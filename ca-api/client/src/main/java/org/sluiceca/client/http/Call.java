package org.sluiceca.client.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A request to the service, to be sent as often as it takes: the same method, path, headers and
 * body each time.
 *
 * @param method of HTTP
 * @param path from the slash on, with its query
 * @param headers besides those of the connection
 * @param body empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // Read by this module alone, which changes none.
public record Call(String method, String path, Map<String, String> headers, byte[] body) {
  private static final String JSON = "application/json";

  /** Copies the headers. */
  public Call {
    headers = Map.copyOf(headers);
  }

  /** Reads as JSON. */
  public static Call get(String path) {
    return new Call("GET", path, Map.of("Accept", JSON), new byte[0]);
  }

  /** Sends JSON, reads JSON. */
  public static Call send(String method, String path, JsonNode body) {
    return new Call(
        method,
        path,
        Map.of("Accept", JSON, "Content-Type", JSON),
        body.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Sends nothing but the method. */
  public static Call delete(String path) {
    return new Call("DELETE", path, Map.of("Accept", JSON), new byte[0]);
  }

  /** Sends these octets. */
  public static Call post(String path, String contentType, String accept, byte[] body) {
    return new Call("POST", path, Map.of("Accept", accept, "Content-Type", contentType), body);
  }

  /** The same with another header. */
  public Call with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Call(method, path, more, body);
  }
}
