package org.sluiceca.api.warm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.sluiceca.core.x509.CsrDer;

/**
 * Certification requests that come with the product, one a kind of key, for {@code localhost}: a
 * name that each node has itself, so that its own profile lets it pass. Their keys were thrown
 * away.
 */
final class FixedRequests {

  private static final String RESOURCE = "/warm-up/localhost.csrs";

  private FixedRequests() {}

  /**
   * Reads them.
   *
   * @throws IOException if the distribution lacks the resource
   */
  static List<CsrDer> read() throws IOException {
    try (InputStream in = FixedRequests.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IOException("missing resource " + RESOURCE);
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .map(line -> CsrDer.of(Base64.getDecoder().decode(line)))
          .toList();
    }
  }
}
