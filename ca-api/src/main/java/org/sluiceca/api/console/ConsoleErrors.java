package org.sluiceca.api.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemMapper;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.failure.CaUnavailable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/** Makes a page of what fails in a controller of the console, where the API has a problem. */
@ControllerAdvice(basePackageClasses = ConsoleErrors.class)
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ConsoleErrors {

  private static final Logger LOG = LoggerFactory.getLogger(ConsoleErrors.class);

  private final Pages pages;

  ConsoleErrors(Pages pages) {
    this.pages = pages;
  }

  @ExceptionHandler
  void problem(ProblemException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    pages.refuse(request, response, e);
  }

  @ExceptionHandler
  void unavailable(CaUnavailable e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    LOG.warn("unavailable: {}", e.getMessage());
    pages.refuse(request, response, ProblemMapper.unavailable(e));
  }

  /** The query can be refused when it is read: by the firewall, or by Tomcat. */
  @ExceptionHandler({
    HttpRequestMethodNotSupportedException.class,
    InvalidParameterException.class,
    RequestRejectedException.class
  })
  void malformed(HttpServletRequest request, HttpServletResponse response) throws IOException {
    refuse(request, response, ProblemType.MALFORMED_REQUEST, "The request is not acceptable.");
  }

  /** Nothing unknown may reach a browser in detail. */
  @ExceptionHandler
  void internal(RuntimeException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    LOG.error("request failed", e);
    refuse(request, response, ProblemType.INTERNAL, "See the log of the node by the request's id.");
  }

  private void refuse(
      HttpServletRequest request, HttpServletResponse response, ProblemType type, String detail)
      throws IOException {
    pages.refuse(request, response, new ProblemException(type, detail));
  }
}
