package org.sluiceca.core.x509;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A key purpose (RFC 5280 4.2.1.12): one of those that the RFC defines, which have names, or any
 * other by its OID. Ordered as they are written: those with names first.
 *
 * @param oid the KeyPurposeId in dotted form
 */
public record ExtendedKeyUsage(String oid) {

  public static final ExtendedKeyUsage SERVER_AUTH = new ExtendedKeyUsage("1.3.6.1.5.5.7.3.1");
  public static final ExtendedKeyUsage CLIENT_AUTH = new ExtendedKeyUsage("1.3.6.1.5.5.7.3.2");
  public static final ExtendedKeyUsage CODE_SIGNING = new ExtendedKeyUsage("1.3.6.1.5.5.7.3.3");
  public static final ExtendedKeyUsage EMAIL_PROTECTION = new ExtendedKeyUsage("1.3.6.1.5.5.7.3.4");
  public static final ExtendedKeyUsage TIME_STAMPING = new ExtendedKeyUsage("1.3.6.1.5.5.7.3.8");
  public static final ExtendedKeyUsage OCSP_SIGNING = new ExtendedKeyUsage("1.3.6.1.5.5.7.3.9");

  /**
   * RFC 5280 4.2.1.12: it stands for every purpose, so a profile would give what it never named.
   */
  private static final String ANY = "2.5.29.37.0";

  private static final Map<ExtendedKeyUsage, String> NAMES = names();

  /** The order in which purposes are written, so that equal sets encode alike. */
  public static final Comparator<ExtendedKeyUsage> ORDER =
      Comparator.<ExtendedKeyUsage>comparingInt(
              purpose -> NAMES.containsKey(purpose) ? known().indexOf(purpose) : NAMES.size())
          .thenComparing(ExtendedKeyUsage::oid);

  public ExtendedKeyUsage {
    Oids.check(oid);
    if (oid.equals(ANY)) {
      throw new IllegalArgumentException(
          "anyExtendedKeyUsage (2.5.29.37.0) gives every purpose: name those that are meant");
    }
  }

  private static Map<ExtendedKeyUsage, String> names() {
    Map<ExtendedKeyUsage, String> names = new LinkedHashMap<>();
    names.put(SERVER_AUTH, "SERVER_AUTH");
    names.put(CLIENT_AUTH, "CLIENT_AUTH");
    names.put(CODE_SIGNING, "CODE_SIGNING");
    names.put(EMAIL_PROTECTION, "EMAIL_PROTECTION");
    names.put(TIME_STAMPING, "TIME_STAMPING");
    names.put(OCSP_SIGNING, "OCSP_SIGNING");
    return names;
  }

  /** Returns the purposes that have names, in the order in which they are written. */
  public static List<ExtendedKeyUsage> known() {
    return List.copyOf(NAMES.keySet());
  }

  /**
   * Returns the purpose of this name, in any case and with or without underscores ({@code
   * server_auth}, {@code serverAuth}), or of this OID; empty if it is neither.
   *
   * @throws IllegalArgumentException for anyExtendedKeyUsage
   */
  public static Optional<ExtendedKeyUsage> named(String text) {
    String folded = folded(text);
    for (Map.Entry<ExtendedKeyUsage, String> known : NAMES.entrySet()) {
      if (folded(known.getValue()).equals(folded)) {
        return Optional.of(known.getKey());
      }
    }
    return Oids.isOid(text) ? Optional.of(new ExtendedKeyUsage(text)) : Optional.empty();
  }

  private static String folded(String name) {
    return name.replace("_", "").toLowerCase(Locale.ROOT);
  }

  /** Returns the name, such as {@code SERVER_AUTH}, or the OID of a purpose without one. */
  public String name() {
    return NAMES.getOrDefault(this, oid);
  }

  @Override
  public String toString() {
    return name();
  }
}
