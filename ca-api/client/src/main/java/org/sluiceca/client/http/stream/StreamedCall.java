package org.sluiceca.client.http.stream;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Both sides of an exchange in which the answer is read while the request is still sent. */
public interface StreamedCall {

  /**
   * The next part of the request's body; null at its end. Called by a thread that only sends; may
   * block, and ends when that thread is interrupted.
   */
  byte @Nullable [] next() throws InterruptedException;

  /**
   * Reads the body of an answer with status 200 to its end, in the caller's thread.
   *
   * @throws IOException if it breaks off, or is not what was asked for: the node is then lost
   */
  void answer(InputStream body) throws IOException;
}
