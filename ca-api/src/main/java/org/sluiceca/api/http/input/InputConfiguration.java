package org.sluiceca.api.http.input;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Puts {@link QueryGuard} before every route under {@code /v1}. */
@Configuration(proxyBeanMethods = false)
public class InputConfiguration implements WebMvcConfigurer {

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    var _ = registry.addInterceptor(new QueryGuard(declared())).addPathPatterns("/v1/**");
  }

  /** Returns the query parameters of every operation in the OpenAPI document. */
  static Map<QueryGuard.Route, SortedSet<String>> declared() {
    Map<QueryGuard.Route, SortedSet<String>> declared = new HashMap<>();
    JsonNode document = document();
    document
        .path("paths")
        .forEachEntry(
            (pattern, operations) ->
                operations.forEachEntry(
                    (method, operation) ->
                        declared.put(
                            new QueryGuard.Route(method, pattern), query(operation, document))));
    return declared;
  }

  private static SortedSet<String> query(JsonNode operation, JsonNode document) {
    SortedSet<String> names = new TreeSet<>();
    for (JsonNode given : operation.path("parameters")) {
      String shared = given.path("$ref").asString("");
      JsonNode parameter = shared.isEmpty() ? given : document.at(shared.substring(1));
      if (parameter.path("in").asString("").equals("query")) {
        names.add(parameter.path("name").asString());
      }
    }
    return names;
  }

  private static JsonNode document() {
    try (InputStream in = new ClassPathResource("openapi.json").getInputStream()) {
      return JsonMapper.shared().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException("the OpenAPI document cannot be read", e);
    }
  }
}
