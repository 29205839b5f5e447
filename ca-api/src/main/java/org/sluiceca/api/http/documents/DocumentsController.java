package org.sluiceca.api.http.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The API's description of itself: the OpenAPI document and the problem types' meanings. */
@RestController
final class DocumentsController {

  private final byte[] openApi;

  DocumentsController() {
    try {
      this.openApi = new ClassPathResource("openapi.json").getContentAsByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("the OpenAPI document cannot be read", e);
    }
  }

  @GetMapping(path = "/v3/api-docs", produces = MediaType.APPLICATION_JSON_VALUE)
  byte[] openApi() {
    return openApi.clone();
  }

  @GetMapping(path = "/problems/{name}", produces = MediaType.TEXT_PLAIN_VALUE)
  ResponseEntity<String> problem(@PathVariable String name) {
    ProblemType type =
        ProblemType.ofName(name)
            .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "unknown problem type"));
    return ResponseEntity.ok(String.format(Locale.ROOT, "%d %s\n", type.status(), type.title()));
  }
}
