package org.sluiceca.api.http.edge;

import java.io.IOException;

/** The request's body passed its limit while it was being read. */
public final class BodyTooLargeException extends IOException {

  private static final long serialVersionUID = 1L;

  BodyTooLargeException(long limit) {
    super("body over " + limit + " bytes");
  }
}
