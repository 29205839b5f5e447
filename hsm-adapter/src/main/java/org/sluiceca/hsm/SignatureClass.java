package org.sluiceca.hsm;

import java.util.Locale;

/**
 * Signatures that cost a token alike: base delays and service times are kept for each.
 *
 * @param keyBits the size of the modulus or of the curve's field
 */
public record SignatureClass(Mechanism mechanism, int keyBits) {

  /** The class of signatures by this mechanism with this key. */
  public static SignatureClass of(Mechanism mechanism, KeyRef key) {
    return new SignatureClass(mechanism, key.publicKey().bits());
  }

  /** As in metrics and tables: {@code ecdsa_sha256/256}. */
  @Override
  public String toString() {
    return mechanism.name().toLowerCase(Locale.ROOT) + "/" + keyBits;
  }
}
