package org.sluiceca.hsm.isolate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.isolate.child.Dispatcher;
import org.sluiceca.hsm.pkcs11.Attribute;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.SessionHandle;
import org.sluiceca.hsm.testkit.FakeCryptoki;

/** Frames that a process of ours writes are read as they were meant; all others are refused. */
class FramePropertiesTest {
  private static final long SEED = Long.getLong("seed", 20_261_121L);
  private static final int RUNS = 20_000;

  /** Writes one field, and reads it back. */
  private interface Field {
    void write(FrameWriter writer);

    void check(FrameReader reader) throws MalformedFrameException;
  }

  @Test
  void payload_anyFields_areReadAsWritten() throws MalformedFrameException {
    Random random = random();
    for (int run = 0; run < RUNS; run++) {
      List<Field> fields = new ArrayList<>();
      for (int i = random.nextInt(8); i >= 0; i--) {
        fields.add(field(random));
      }
      long number = random.nextLong();
      FrameWriter writer = FrameWriter.request(Operation.SIGN, number);
      fields.forEach(field -> field.write(writer));

      FrameReader reader = FrameReader.of(writer.payload());

      assertThat(reader.operation()).isEqualTo(Operation.SIGN);
      assertThat(reader.number()).isEqualTo(number);
      for (Field field : fields) {
        field.check(reader);
      }
      reader.end();
    }
  }

  /** Cut, lengthened or changed frames: an answer, or a refusal, and nothing else. */
  @Test
  void answer_hostileRequests_refusedOrAnswered() {
    Random random = random();
    Dispatcher dispatcher = new Dispatcher(new FakeCryptoki("hostile"), 0);
    int refused = 0;
    for (int run = 0; run < RUNS; run++) {
      byte[] frame = hostile(random, validRequest(random));
      // A copy: a login wipes its request.
      byte[] request = frame.clone();
      try {
        Answer answer = Answer.parse(dispatcher.answer(request).payload());
        assertThat(answer.number()).isEqualTo(FrameReader.of(tail(frame)).number());
      } catch (MalformedFrameException e) {
        refused++;
      }
    }
    // Most changes hit a length, a kind or the end; those that hit a number are answered.
    assertThat(refused).isGreaterThan(RUNS / 4);
  }

  @Test
  void answer_requestCutAnywhere_refusedAndModuleNotCalled() {
    FakeCryptoki module = new FakeCryptoki("cut");
    SessionHandle session = module.openSession(7, false);
    Dispatcher dispatcher = new Dispatcher(module, 0);
    byte[] whole = signRequest(session);
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> dispatcher.answer(cut)).isInstanceOf(MalformedFrameException.class);
    }
    byte[] longer = Arrays.copyOf(whole, whole.length + 1);
    assertThatThrownBy(() -> dispatcher.answer(longer)).isInstanceOf(MalformedFrameException.class);
    assertThat(module.signatures).hasValue(0);
  }

  @Test
  void bytes_lengthBeyondTheFrame_refusedBeforeMemoryIsTaken() {
    byte[] payload = FrameWriter.request(Operation.SIGN, 1).put(0x7FFF_FFFF_0000_0000L).payload();
    FrameReader reader = FrameReader.of(payload);

    assertThatThrownBy(
            () -> {
              assertThat(reader.operation()).isEqualTo(Operation.SIGN);
              assertThat(reader.number()).isOne();
              byte[] _ = reader.bytes();
            })
        .isInstanceOf(MalformedFrameException.class)
        .hasMessage("a length of 2147483647");
  }

  @Test
  void put_beyondTheLargestFrame_refused() {
    FrameWriter writer = FrameWriter.request(Operation.SIGN, 1);

    assertThatThrownBy(() -> writer.put(new byte[Wire.FRAME_BYTES_MAX]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FrameChannel.checkLength(Wire.FRAME_BYTES_MAX + 1))
        .isInstanceOf(MalformedFrameException.class);
    assertThatThrownBy(() -> FrameChannel.checkLength(0))
        .isInstanceOf(MalformedFrameException.class);
    assertThatThrownBy(() -> FrameChannel.checkLength(-1))
        .isInstanceOf(MalformedFrameException.class);
  }

  @Test
  void wipe_afterSecret_nothingIsLeft() {
    FrameWriter writer = FrameWriter.request(Operation.LOGIN, 1).put("648219".toCharArray());

    writer.wipe();

    assertThat(writer.payload()).containsOnly(0);
  }

  @Test
  void text_longerThanItMayBe_cutBetweenCharacters() throws MalformedFrameException {
    String long3 = "\u20AC".repeat(400);
    FrameReader reader =
        FrameReader.of(FrameWriter.answer(Answer.Status.FAILED, 1).put(long3).payload());
    assertThat(reader.status()).isEqualTo(Answer.Status.FAILED);
    assertThat(reader.number()).isOne();

    assertThat(reader.text()).isEqualTo("\u20AC".repeat(341));
  }

  /** A planted bug that the properties must find: a module that is called for a frame cut short. */
  @Test
  void answer_readerThatForgivesItsEnd_isFound() {
    FakeCryptoki module = new FakeCryptoki("mutant");
    SessionHandle session = module.openSession(7, false);
    byte[] longer = Arrays.copyOf(signRequest(session), signRequest(session).length + 1);

    assertThat(forgivingSign(module, longer)).isNotEmpty();
    assertThat(module.signatures).hasValue(1);
  }

  /** The dispatcher's branch of a signature without {@code end}. */
  private static byte[] forgivingSign(Cryptoki module, byte[] frame) {
    try {
      FrameReader request = FrameReader.of(frame);
      assertThat(request.operation()).isEqualTo(Operation.SIGN);
      assertThat(request.number()).isOne();
      SessionHandle session = new SessionHandle(request.number(), request.number());
      return module.sign(session, request.bytes());
    } catch (MalformedFrameException e) {
      return new byte[0];
    }
  }

  private static byte[] signRequest(SessionHandle session) {
    return FrameWriter.request(Operation.SIGN, 1)
        .put(session.generation())
        .put(session.value())
        .put(new byte[] {1, 2, 3})
        .payload();
  }

  private static Random random() {
    System.out.println("FramePropertiesTest -Dseed=" + SEED);
    return new Random(SEED);
  }

  private static byte[] tail(byte[] frame) {
    return Arrays.copyOfRange(frame, 1, frame.length);
  }

  private static byte[] validRequest(Random random) {
    Operation[] operations = Operation.values();
    FrameWriter writer =
        FrameWriter.request(operations[random.nextInt(operations.length)], random.nextLong());
    writer.put(1L).put((long) random.nextInt(3));
    for (int i = random.nextInt(4); i > 0; i--) {
      field(random).write(writer);
    }
    return writer.payload();
  }

  private static byte[] hostile(Random random, byte[] frame) {
    byte[] changed = frame.clone();
    switch (random.nextInt(4)) {
      case 0 -> changed = Arrays.copyOf(changed, random.nextInt(changed.length + 1));
      case 1 -> changed = Arrays.copyOf(changed, changed.length + 1 + random.nextInt(9));
      case 2 -> changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      default -> {
        changed = new byte[random.nextInt(64)];
        random.nextBytes(changed);
      }
    }
    return changed;
  }

  private static Field field(Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> {
        boolean value = random.nextBoolean();
        yield field(w -> w.put(value), r -> assertThat(r.bool()).isEqualTo(value));
      }
      case 1 -> {
        long value = random.nextLong();
        yield field(w -> w.put(value), r -> assertThat(r.number()).isEqualTo(value));
      }
      case 2 -> {
        byte[] value = bytes(random);
        yield field(w -> w.put(value), r -> assertThat(r.bytes()).isEqualTo(value));
      }
      case 3 -> {
        long[] value = random.longs(random.nextInt(5)).toArray();
        yield field(w -> w.put(value), r -> assertThat(r.numbers()).isEqualTo(value));
      }
      case 4 -> {
        char[] value = "p\u00E4ss\u20AC".toCharArray();
        yield field(w -> w.put(value), r -> assertThat(r.characters()).isEqualTo(value));
      }
      case 5 -> {
        String value = "token \u00E4 " + random.nextInt();
        yield field(w -> w.put(value), r -> assertThat(r.text()).isEqualTo(value));
      }
      default -> {
        List<Attribute> value =
            List.of(
                Attribute.of(random.nextLong(), random.nextBoolean()),
                Attribute.of(random.nextLong(), random.nextLong()),
                Attribute.of(random.nextLong(), bytes(random)));
        yield field(w -> w.put(value), r -> checkTemplate(r.template(), value));
      }
    };
  }

  private static void checkTemplate(List<Attribute> read, List<Attribute> written) {
    assertThat(read).hasSameSizeAs(written);
    for (int i = 0; i < read.size(); i++) {
      assertThat(read.get(i).type()).isEqualTo(written.get(i).type());
      assertThat(read.get(i).value()).isEqualTo(written.get(i).value());
    }
  }

  private static byte[] bytes(Random random) {
    byte[] value = new byte[random.nextInt(300)];
    random.nextBytes(value);
    return value;
  }

  private interface Write {
    FrameWriter to(FrameWriter writer);
  }

  private interface Check {
    void of(FrameReader reader) throws MalformedFrameException;
  }

  private static Field field(Write write, Check check) {
    return new Field() {
      @Override
      public void write(FrameWriter writer) {
        FrameWriter _ = write.to(writer);
      }

      @Override
      public void check(FrameReader reader) throws MalformedFrameException {
        check.of(reader);
      }
    };
  }
}
