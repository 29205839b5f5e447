package org.sluiceca.hsm.isolate.wire;

import java.io.IOException;

/** The other end sent bytes that are no frame of this version: the connection is of no more use. */
public final class MalformedFrameException extends IOException {
  /** Says what is wrong, without content of the frame. */
  public MalformedFrameException(String message) {
    super(message);
  }
}
