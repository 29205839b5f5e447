package org.sluiceca.api.http.edge;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes the answer to a request that ends in a filter. Thread-safe. */
@FunctionalInterface
public interface Refusal {

  /** Answers with {@code status} and a problem; never by sendError, which closes the response. */
  void write(HttpServletRequest request, HttpServletResponse response, int status)
      throws IOException;
}
