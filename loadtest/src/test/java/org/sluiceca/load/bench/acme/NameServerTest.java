package org.sluiceca.load.bench.acme;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NameServerTest {

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
    byte[] answer = NameServer.answer(question(1)).orElseThrow();

    assertThat(answer).startsWith(0x12, 0x34, 0x84, 0, 0, 1, 0, 1).endsWith(0, 4, 127, 0, 0, 1);
  }

  @Test
  void answer_otherType_hasNone() {
    byte[] answer = NameServer.answer(question(28)).orElseThrow();

    assertThat(answer).startsWith(0x12, 0x34, 0x84, 0, 0, 1, 0, 0).hasSameSizeAs(question(28));
  }

  @Test
  void answer_noQuestion_isNone() {
    assertThat(NameServer.answer(new byte[3])).isEmpty();
    assertThat(NameServer.answer(new byte[12])).isEmpty();
  }
}
