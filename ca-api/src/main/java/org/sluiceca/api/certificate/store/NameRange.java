package org.sluiceca.api.certificate.store;

import org.sluiceca.api.certificate.index.store.IndexedNames;
import org.sluiceca.core.x509.IpLiteral;

/**
 * The names that a search asks for: those from {@code lowest} to before {@code end}, in the order
 * of octets, or those that end with {@code lowest}. No character in it is a wildcard.
 *
 * @param end empty for names that end with {@code lowest}: no index has their order, so each
 *     certificate is looked at
 * @param isExact whether only {@code lowest} itself is meant
 */
public record NameRange(String lowest, String end, boolean isExact) {

  /** The longest text that is looked for, in characters: names are kept to that length. */
  public static final int LENGTH_MAX = IndexedNames.NAME_MAX;

  /** After every other character. */
  private static final String LAST = Character.toString(Character.MAX_CODE_POINT);

  /** Before every other but U+0000, which no name has. */
  private static final String FIRST = "\u0001";

  /** This name alone; of an IP address, in whatever way it is written. */
  public static NameRange exactly(String name) {
    String normal = IndexedNames.normal(IpLiteral.parse(name).map(IndexedNames::text).orElse(name));
    return new NameRange(normal, normal + FIRST, true);
  }

  /** All names that begin so. */
  public static NameRange beginningWith(String start) {
    String normal = IndexedNames.normal(start);
    return new NameRange(normal, normal + LAST, false);
  }

  /** All names that end so, such as all below a domain for {@code .corp.example}. */
  public static NameRange endingWith(String end) {
    return new NameRange(IndexedNames.normal(end), "", false);
  }

  boolean isEnding() {
    return end.isEmpty();
  }
}
