package org.sluiceca.core.profile;

import java.util.Locale;
import java.util.Set;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKey;

/**
 * Which keys a profile certifies, beyond what {@code csr.WeakKeys} refuses for all.
 *
 * @param rsaBitsMin the smallest RSA modulus, 2048 to 8192; without meaning if RSA is not allowed
 * @param rsaBitsMax the largest, no smaller than that
 */
public record KeyPolicy(Set<PublicKeyAlgorithm> algorithms, int rsaBitsMin, int rsaBitsMax) {

  /** The least that any profile may ask for: NIST SP 800-131A rev. 2, table 2. */
  public static final int RSA_BITS_MIN = 2048;

  /** The most: {@code csr.WeakKeys} says why. */
  public static final int RSA_BITS_MAX = 8192;

  public KeyPolicy {
    algorithms = Set.copyOf(algorithms);
    if (algorithms.isEmpty()) {
      throw new IllegalArgumentException("no key algorithm allowed");
    }
    if (rsaBitsMin < RSA_BITS_MIN || rsaBitsMin > RSA_BITS_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "rsaBitsMin %d not in %d..%d", rsaBitsMin, RSA_BITS_MIN, RSA_BITS_MAX));
    }
    if (rsaBitsMax < rsaBitsMin || rsaBitsMax > RSA_BITS_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "rsaBitsMax %d not in %d..%d", rsaBitsMax, rsaBitsMin, RSA_BITS_MAX));
    }
  }

  /** A policy without an upper bound of its own. */
  public KeyPolicy(Set<PublicKeyAlgorithm> algorithms, int rsaBitsMin) {
    this(algorithms, rsaBitsMin, RSA_BITS_MAX);
  }

  /** Refuses a key that the profile does not allow. */
  public void check(SubjectPublicKey key) throws RejectedException {
    if (!algorithms.contains(key.algorithm())) {
      throw new RejectedException(
          Reason.PROFILE_VIOLATION, "key algorithm " + key.algorithm() + " is not allowed");
    }
    if (key instanceof SubjectPublicKey.Rsa rsa) {
      check(rsa);
    }
  }

  private void check(SubjectPublicKey.Rsa key) throws RejectedException {
    if (key.bits() < rsaBitsMin) {
      throw new RejectedException(
          Reason.WEAK_KEY,
          String.format(Locale.ROOT, "RSA key of %d bits, wanted %d", key.bits(), rsaBitsMin));
    }
    if (key.bits() > rsaBitsMax) {
      throw new RejectedException(
          Reason.PROFILE_VIOLATION,
          String.format(Locale.ROOT, "RSA key of %d bits, allowed %d", key.bits(), rsaBitsMax));
    }
  }
}
