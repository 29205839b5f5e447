package org.sluiceca.api.http.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * The form of problems below a path whose protocol has types of its own. It is asked for whatever
 * ends a request there, also before a controller is found. Thread-safe.
 */
public interface ProblemForm {

  /** Returns whether a request is below its path. */
  boolean isFor(HttpServletRequest request);

  /** Returns the body of a problem, written as JSON, and adds the protocol's header fields. */
  Object body(HttpServletRequest request, HttpServletResponse response, ProblemException problem);
}
