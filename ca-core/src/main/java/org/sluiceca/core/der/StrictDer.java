package org.sluiceca.core.der;

import java.io.IOException;
import java.util.Arrays;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1InputStream;
import org.bouncycastle.asn1.ASN1Primitive;

/**
 * The edge to Bouncy Castle's parser: bytes in, a structure or a {@link DerException} out.
 *
 * <p>Strict: the input must be its own canonical re-encoding, so BER forms, indefinite lengths and
 * trailing bytes are refused (X.690 10 and 11). {@link DerScan} goes first, so the library never
 * builds what is refused for its size, depth or lengths.
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
    DerScan.check(what, bytes);
    try {
      ASN1Primitive primitive = ASN1Primitive.fromByteArray(bytes);
      T value = structure.read(primitive);
      if (!Arrays.equals(bytes, primitive.getEncoded(ASN1Encoding.DER))) {
        throw new DerException(what + " is not canonical DER");
      }
      return value;
    } catch (IOException | RuntimeException e) {
      throw new DerException(what + " is malformed", e);
    }
  }

  /**
   * Converts what {@code structure} looks at and leaves the rest unparsed: for bytes that this CA
   * wrote and judged itself.
   */
  @SuppressWarnings("CatchingUnchecked") // As above.
  static <T> T peek(String what, byte[] bytes, Structure<T> structure) throws DerException {
    try (ASN1InputStream in = new ASN1InputStream(bytes, true)) {
      return structure.read(in.readObject());
    } catch (IOException | RuntimeException e) {
      throw new DerException(what + " is malformed", e);
    }
  }
}
