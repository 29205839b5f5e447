package org.sluiceca.api.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Where the container sends a request that a filter ended with a bare status code, or that threw
 * outside of a controller. Takes the place of Boot's page, which would be HTML for a browser.
 */
@RestController
final class ErrorDispatch implements ErrorController {

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
    ProblemType type = ProblemType.ofStatus(status);
    writer.write(request, response, new ProblemException(type, detail(type)));
  }

  private static String detail(ProblemType type) {
    return switch (type) {
      case NOT_FOUND -> "nothing at this path";
      case MALFORMED_REQUEST -> "the request is not well-formed HTTP";
      case UNSUPPORTED_MEDIA_TYPE -> "a content coding is not supported";
      case INTERNAL -> "see the log of the node by the request id";
      default -> type.title();
    };
  }
}
