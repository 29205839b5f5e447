package org.sluiceca.load.bench.acme;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProofServersTest {

  private static byte[] question(int type) {
    byte[] name = "\4host\5bench\7example\0".getBytes(StandardCharsets.ISO_8859_1);
    byte[] question = new byte[12 + name.length + 4];
    question[0] = 0x12;
    question[1] = 0x34;
    question[5] = 1;
    System.arraycopy(name, 0, question, 12, name.length);
    question[question.length - 3] = (byte) type;
    question[question.length - 1] = 1;
    return question;
  }

  @Test
  void answer_address_isThisMachine() {
    byte[] answer = ProofServers.answer(question(1)).orElseThrow();

    assertThat(answer).startsWith(0x12, 0x34, 0x84, 0, 0, 1, 0, 1).endsWith(0, 4, 127, 0, 0, 1);
  }

  @Test
  void answer_otherType_hasNone() {
    byte[] answer = ProofServers.answer(question(28)).orElseThrow();

    assertThat(answer).startsWith(0x12, 0x34, 0x84, 0, 0, 1, 0, 0).hasSameSizeAs(question(28));
  }

  @Test
  void answer_noQuestion_isNone() {
    assertThat(ProofServers.answer(new byte[3])).isEmpty();
    assertThat(ProofServers.answer(new byte[12])).isEmpty();
  }

  @Test
  void web_proof_isThereUntilItIsRemoved() throws Exception {
    try (ProofServers servers = new ProofServers()) {
      servers.put("token", "token.thumbprint");
      assertThat(get(servers, "token"))
          .startsWith("HTTP/1.1 200")
          .endsWith("\n\r\ntoken.thumbprint");
      servers.remove("token");
      assertThat(get(servers, "token")).startsWith("HTTP/1.1 404");
    }
  }

  private static String get(ProofServers servers, String token) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), servers.webPort())) {
      String request = "GET /.well-known/acme-challenge/" + token + " HTTP/1.1\r\nHost: a\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
