package org.sluiceca.api.cli.ceremony.option;

import java.util.Arrays;
import java.util.Locale;
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

  @Override
  public KeyAlgorithm convert(String text) {
    try {
      return KeyAlgorithm.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("unknown key algorithm '" + text + "'");
    }
  }
}
