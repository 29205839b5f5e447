package org.sluiceca.core.der;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Damages an encoding as line noise and attackers do: seeded, so that a find can be replayed. */
public final class Mutations {

  /** Octets that mean something to a parser: tags, lengths at their boundaries, end marks. */
  private static final byte[] TELLING = {
    0x00,
    0x01,
    0x02,
    0x03,
    0x04,
    0x05,
    0x06,
    0x0C,
    0x13,
    0x16,
    0x17,
    0x18,
    0x1F,
    0x24,
    0x30,
    0x31,
    0x7F,
    (byte) 0x80,
    (byte) 0x81,
    (byte) 0x82,
    (byte) 0x84,
    (byte) 0xA0,
    (byte) 0xA3,
    (byte) 0xFF
  };

  private Mutations() {}

  /** Returns {@code bytes} with one to six changes, of octets or of length. */
  public static byte[] of(byte[] bytes, SplittableRandom random) {
    byte[] mutant = bytes.clone();
    int changes = random.nextInt(1, 7);
    for (int i = 0; i < changes && mutant.length > 0; i++) {
      int at = random.nextInt(mutant.length);
      switch (random.nextInt(5)) {
        case 0 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> mutant[at] = TELLING[random.nextInt(TELLING.length)];
        case 2 -> mutant = Arrays.copyOf(mutant, at);
        case 3 -> mutant = spliced(mutant, at, mutant, random.nextInt(mutant.length), random);
        default -> mutant[at] = (byte) random.nextInt();
      }
    }
    return mutant;
  }

  private static byte[] spliced(
      byte[] left, int at, byte[] right, int from, SplittableRandom random) {
    int length = random.nextInt(right.length - from + 1);
    byte[] whole = Arrays.copyOf(left, at + length);
    System.arraycopy(right, from, whole, at, length);
    return whole;
  }
}
