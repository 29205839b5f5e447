package org.sluiceca.core.der;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.ASN1Primitive;

/**
 * The edge to Bouncy Castle's parser: bytes in, a structure or a {@link DerException} out.
 *
 * <p>Strict: the input must be its own canonical re-encoding, so BER forms, indefinite lengths and
 * trailing bytes are refused (X.690 10 and 11). {@link DerScan} goes first, so the library never
 * builds what is refused for its size, depth or lengths; where the scan has seen that the encoding
 * is canonical, it is not written again to be compared.
 */
final class StrictDer {

  private StrictDer() {}

  /** A conversion by Bouncy Castle's getInstance methods, which throw unchecked exceptions. */
  @FunctionalInterface
  interface Structure<T> {
    T read(ASN1Primitive primitive) throws IOException, DerException;
  }

  /** Parses {@code bytes} and converts them; whatever the library throws becomes DerException. */
  // The library throws IllegalArgument-, ArrayIndexOutOfBounds-, ClassCast- and other unchecked
  // exceptions on malformed input (Bouncy Castle 1.86: 30 05 30 03 02 01 01), with no common
  // parent.
  @SuppressWarnings("CatchingUnchecked")
  static <T> T read(String what, byte[] bytes, Structure<T> structure) throws DerException {
    boolean isSure = DerScan.check(what, bytes);
    try {
      ASN1Primitive primitive = ASN1Primitive.fromByteArray(bytes);
      T value = structure.read(primitive);
      if (!isSure && !isEncodedAs(primitive, bytes)) {
        throw new DerException(what + " is not canonical DER");
      }
      return value;
    } catch (IOException | RuntimeException e) {
      throw new DerException(what + " is malformed", e);
    }
  }

  /** Returns whether {@code bytes} are the DER encoding of {@code object}, which is not built. */
  static boolean isEncodedAs(ASN1Object object, byte[] bytes) throws IOException {
    Comparison comparison = new Comparison(bytes);
    object.encodeTo(comparison, ASN1Encoding.DER);
    return comparison.isEqual();
  }

  /** Takes octets and keeps only whether they are the expected ones so far. */
  private static final class Comparison extends OutputStream {

    private final byte[] expected;
    private int at;
    private boolean isDifferent;

    Comparison(byte[] expected) {
      this.expected = expected;
    }

    boolean isEqual() {
      return !isDifferent && at == expected.length;
    }

    @Override
    public void write(int octet) {
      isDifferent = isDifferent || at == expected.length || expected[at++] != (byte) octet;
    }

    @Override
    public void write(byte[] octets, int from, int length) {
      isDifferent =
          isDifferent
              || length > expected.length - at
              || !Arrays.equals(expected, at, at + length, octets, from, from + length);
      at += isDifferent ? 0 : length;
    }
  }
}
