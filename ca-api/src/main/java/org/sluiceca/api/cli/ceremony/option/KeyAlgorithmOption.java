package org.sluiceca.api.cli.ceremony.option;

import java.util.Arrays;
import java.util.Locale;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKey;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code ec-p256} and its like. */
public final class KeyAlgorithmOption implements ITypeConverter<KeyAlgorithm> {

  /** Returns whether a text is the name of an algorithm. */
  public static boolean isKnown(String text) {
    return Arrays.stream(KeyAlgorithm.values())
        .anyMatch(known -> known.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(text));
  }

  /**
   * Returns the name of a key's algorithm.
   *
   * @param subjectPublicKeyInfo the DER encoding
   * @throws DerException if it is no public key
   */
  public static String nameOf(OctetString subjectPublicKeyInfo) throws DerException {
    SubjectPublicKey key = PublicKeyReader.read(subjectPublicKeyInfo.octets()).key();
    return key instanceof SubjectPublicKey.Rsa rsa
        ? "rsa-" + rsa.bits()
        : key.algorithm().name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public KeyAlgorithm convert(String text) {
    try {
      return KeyAlgorithm.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("unknown key algorithm '" + text + "'");
    }
  }
}
