package org.sluiceca.load.bench.acme;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;
import org.sluiceca.load.acme.Answer;
import org.sluiceca.load.acme.Connection;
import org.sluiceca.load.call.Http;
import tools.jackson.databind.JsonNode;

/**
 * A CA to be measured, by its directory (RFC 8555 7.1.1).
 *
 * @param isProven whether names are proven by http-01; otherwise a binding covers them
 * @param ordersOfAccount after how many a new account is made, since CAs limit the orders of one
 * @param binding by which accounts are made, if the CA asks for one
 */
record Authority(
    SSLSocketFactory tls,
    URI newNonce,
    URI newAccount,
    URI newOrder,
    boolean isProven,
    int ordersOfAccount,
    Optional<Binding> binding) {

  /**
   * An external account binding.
   *
   * @param hmacKey in base64url
   */
  record Binding(String kid, String hmacKey) {}

  /** Reads the directory of a CA whose root is in {@code root}, in PEM. */
  static Authority at(
      URI directory, Path root, boolean isProven, int ordersOfAccount, Optional<Binding> binding)
      throws IOException {
    SSLSocketFactory tls = tls(root);
    try (Connection connection = new Connection(tls, directory.getPort())) {
      Answer answer = connection.get(directory);
      if (answer.status() != 200) {
        throw new IOException(directory + ": " + answer.text());
      }
      JsonNode urls = answer.json();
      return new Authority(
          tls,
          URI.create(urls.path("newNonce").asString()),
          URI.create(urls.path("newAccount").asString()),
          URI.create(urls.path("newOrder").asString()),
          isProven,
          ordersOfAccount,
          binding);
    }
  }

  private static SSLSocketFactory tls(Path root) throws IOException {
    try {
      return Http.trusting(root).getSocketFactory();
    } catch (GeneralSecurityException e) {
      throw new IOException(root + " is no root certificate: " + e.getMessage(), e);
    }
  }

  Connection connect() {
    return new Connection(tls, newNonce.getPort());
  }
}
