package org.sluiceca.core.der;

import java.io.IOException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameDer;

/**
 * The form in which distinguished names are compared (RFC 5280 7.1): two names are the same exactly
 * if their forms are equal. The string type of a value, its case, its white space, its Unicode
 * composition and characters that show nothing make no difference; the order of relative names
 * does. Any attribute type is taken. Immutable.
 *
 * @param relativeNames in encoding order, the attributes of each sorted
 */
public record NameForm(List<List<Attribute>> relativeNames) {

  /** The upper bounds of RFC 5280 A.1 end at 32,768, and no CA comes near this; it bounds work. */
  private static final int FOLDED_MAX = 1_024;

  private static final Pattern LINE_ENDS = Pattern.compile("[\\t\\n\\u000B\\f\\r\\u0085]");

  private static final Pattern SHOWS_NOTHING =
      Pattern.compile("[\\p{Cf}\\p{Cc}\\u034F\\uFE00-\\uFE0F]");

  private static final Pattern SPACES = Pattern.compile("\\p{Z}+");

  public NameForm {
    relativeNames = List.copyOf(relativeNames);
  }

  /**
   * One attribute.
   *
   * @param oid its type in dotted form
   * @param value its text as it is compared, or, if it is no string, its encoding in hexadecimal
   */
  public record Attribute(String oid, String value) {}

  /** Returns the form of a name. */
  public static NameForm of(NameDer name) throws DerException {
    return StrictDer.read("name", name.encoded(), p -> of(X500Name.getInstance(p)));
  }

  private static NameForm of(X500Name name) throws IOException {
    List<List<Attribute>> relativeNames = new ArrayList<>();
    for (RDN rdn : name.getRDNs()) {
      List<Attribute> attributes = new ArrayList<>();
      for (AttributeTypeAndValue pair : rdn.getTypesAndValues()) {
        attributes.add(new Attribute(pair.getType().getId(), compared(pair.getValue())));
      }
      attributes.sort(Comparator.comparing(Attribute::oid).thenComparing(Attribute::value));
      relativeNames.add(List.copyOf(attributes));
    }
    return new NameForm(relativeNames);
  }

  /** Returns whether the name has no attributes. */
  public boolean isEmpty() {
    return relativeNames.isEmpty();
  }

  /** Returns the values of one attribute type, in encoding order. */
  public List<String> values(String oid) {
    return relativeNames.stream()
        .flatMap(List::stream)
        .filter(a -> a.oid().equals(oid))
        .map(Attribute::value)
        .toList();
  }

  private static String compared(ASN1Encodable value) throws IOException {
    if (value instanceof ASN1String string && string.getString().length() <= FOLDED_MAX) {
      return folded(string.getString());
    }
    byte[] encoded = value.toASN1Primitive().getEncoded(ASN1Encoding.DER);
    return "#" + HexFormat.of().formatHex(encoded);
  }

  /**
   * RFC 4518 2: maps, normalizes, and folds case by way of upper case, in which the sharp s is two
   * letters. A text of more than 1,024 characters is returned as it is: a long run of combining
   * characters takes quadratic time to normalize.
   */
  public static String folded(String value) {
    if (value.length() > FOLDED_MAX) {
      return value;
    }
    if (isPlain(value)) {
      return value.toLowerCase(Locale.ROOT);
    }
    String shown = SHOWS_NOTHING.matcher(LINE_ENDS.matcher(value).replaceAll(" ")).replaceAll("");
    String upper = Normalizer.normalize(shown, Normalizer.Form.NFKC).toUpperCase(Locale.ROOT);
    String lower = Normalizer.normalize(upper.toLowerCase(Locale.ROOT), Normalizer.Form.NFKC);
    return SPACES.matcher(lower).replaceAll(" ").strip();
  }

  /**
   * Printable ASCII without spaces, as nearly all names are: nothing of it but its case changes.
   */
  private static boolean isPlain(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) <= ' ' || value.charAt(i) >= 0x7F) {
        return false;
      }
    }
    return true;
  }

  /** Returns the compared form for people. Not a syntax to parse. */
  @Override
  public String toString() {
    return relativeNames.stream()
        .map(
            attributes ->
                attributes.stream().map(NameForm::shown).collect(Collectors.joining(" + ")))
        .collect(Collectors.joining(", "));
  }

  private static String shown(Attribute attribute) {
    return NameAttribute.ofOid(attribute.oid())
            .map(NameAttribute::shortName)
            .orElse(attribute.oid())
        + "="
        + attribute.value();
  }
}
