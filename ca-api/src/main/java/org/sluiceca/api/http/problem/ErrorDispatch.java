package org.sluiceca.api.http.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.coyote.CloseNowException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Where the container sends a request that a filter ended with a bare status code, or that threw
 * outside of a controller. Takes the place of Boot's page, which would be HTML for a browser.
 */
@RestController
final class ErrorDispatch implements ErrorController {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorDispatch.class);

  private final ProblemWriter writer;

  ErrorDispatch(ProblemWriter writer) {
    this.writer = writer;
  }

  @RequestMapping("/error")
  void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
    // Asked for by its own path there is no such thing.
    int status =
        request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code
            ? code
            : HttpServletResponse.SC_NOT_FOUND;
    // The connection of a client that sends more than is wanted ends by a CloseNowException.
    if (request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof Throwable cause
        && !(cause instanceof CloseNowException)
        && status >= HttpServletResponse.SC_INTERNAL_SERVER_ERROR) {
      LOG.error("request failed outside of a controller", cause);
    }
    writer.write(request, response, status);
  }
}
