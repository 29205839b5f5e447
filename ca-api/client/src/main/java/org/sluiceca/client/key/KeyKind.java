package org.sluiceca.client.key;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The keys that the client makes. */
public enum KeyKind {
  /** ECDSA on NIST P-256. */
  EC_P256("ec-p256", "EC", new ECGenParameterSpec("secp256r1")),
  /** ECDSA on NIST P-384. */
  EC_P384("ec-p384", "EC", new ECGenParameterSpec("secp384r1")),
  /** RSA of 2048 bits. */
  RSA_2048("rsa-2048", "RSA", rsa(2048)),
  /** RSA of 3072 bits. */
  RSA_3072("rsa-3072", "RSA", rsa(3072)),
  /** RSA of 4096 bits. */
  RSA_4096("rsa-4096", "RSA", rsa(4096)),
  /** Ed25519. */
  ED25519("ed25519", "Ed25519", NamedParameterSpec.ED25519);

  private final String label;
  private final String generator;

  @SuppressWarnings("Immutable") // Each of these specifications is.
  private final AlgorithmParameterSpec parameters;

  KeyKind(String label, String generator, AlgorithmParameterSpec parameters) {
    this.label = label;
    this.generator = generator;
    this.parameters = parameters;
  }

  /** The kind of this name, as options spell it. */
  public static Optional<KeyKind> of(String label) {
    return Arrays.stream(values()).filter(kind -> kind.label.equals(label)).findFirst();
  }

  /** All names, with blanks between them. */
  public static String labels() {
    return Arrays.stream(values()).map(kind -> kind.label).collect(Collectors.joining(" "));
  }

  /** A new pair, from the JDK's secure random numbers. */
  public KeyPair generate() {
    try {
      KeyPairGenerator pairs = KeyPairGenerator.getInstance(generator);
      pairs.initialize(parameters);
      return pairs.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime makes no key " + label, e);
    }
  }

  @Override
  public String toString() {
    return label;
  }

  private static RSAKeyGenParameterSpec rsa(int bits) {
    return new RSAKeyGenParameterSpec(bits, RSAKeyGenParameterSpec.F4);
  }
}
