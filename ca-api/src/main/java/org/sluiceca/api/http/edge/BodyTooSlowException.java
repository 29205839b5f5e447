package org.sluiceca.api.http.edge;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The request's body did not arrive in the time that it has. */
public final class BodyTooSlowException extends IOException {

  private static final long serialVersionUID = 1L;

  BodyTooSlowException(long nanos) {
    super("body not complete after " + TimeUnit.NANOSECONDS.toSeconds(nanos) + " s");
  }
}
