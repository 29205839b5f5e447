package org.sluiceca.core.profile;

import java.util.Set;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKey;

/**
 * Which keys a profile certifies, beyond what {@code csr.WeakKeys} refuses for all.
 *
 * @param rsaBitsMin the smallest RSA modulus, 2048 to 8192; without meaning if RSA is not allowed
 */
public record KeyPolicy(Set<PublicKeyAlgorithm> algorithms, int rsaBitsMin) {

  public KeyPolicy {
    algorithms = Set.copyOf(algorithms);
    if (algorithms.isEmpty()) {
      throw new IllegalArgumentException("no key algorithm allowed");
    }
    if (rsaBitsMin < 2048 || rsaBitsMin > 8192) {
      throw new IllegalArgumentException("rsaBitsMin " + rsaBitsMin + " not in 2048..8192");
    }
  }

  /** Refuses a key that the profile does not allow. */
  public void check(SubjectPublicKey key) throws RejectedException {
    if (!algorithms.contains(key.algorithm())) {
      throw new RejectedException(
          Reason.PROFILE_VIOLATION, "key algorithm " + key.algorithm() + " is not allowed");
    }
    if (key.algorithm() == PublicKeyAlgorithm.RSA && key.bits() < rsaBitsMin) {
      throw new RejectedException(
          Reason.WEAK_KEY, "RSA key of %d bits, wanted %d".formatted(key.bits(), rsaBitsMin));
    }
  }
}
