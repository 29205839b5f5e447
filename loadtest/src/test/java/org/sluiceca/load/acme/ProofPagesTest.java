package org.sluiceca.load.acme;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProofPagesTest {

  @Test
  void proof_isThereUntilItIsRemoved() throws Exception {
    try (ProofPages pages = new ProofPages(InetAddress.getLoopbackAddress(), 0)) {
      pages.put("token", "token.thumbprint");
      assertThat(get(pages, "token")).startsWith("HTTP/1.1 200").endsWith("\n\r\ntoken.thumbprint");
      pages.remove("token");
      assertThat(get(pages, "token")).startsWith("HTTP/1.1 404");
    }
  }

  private static String get(ProofPages pages, String token) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), pages.port())) {
      String request = "GET /.well-known/acme-challenge/" + token + " HTTP/1.1\r\nHost: a\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
