package org.sluiceca.api.http.edge;

import java.io.IOException;

/** The request's body ended early, or is not framed as HTTP frames bodies. */
public final class BodyBrokenException extends IOException {

  private static final long serialVersionUID = 1L;

  BodyBrokenException(IOException cause) {
    super("body broken: " + cause.getMessage(), cause);
  }
}
