package org.sluiceca.core.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.List;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * A fixed key pair of the tests. It signs with the JDK's provider, which shares no code with the
 * verifier under test.
 */
public final class SoftwareKey {

  private final PrivateKey privateKey;
  private final SubjectPublicKeyInfo publicKey;

  private SoftwareKey(PrivateKey privateKey, SubjectPublicKeyInfo publicKey) {
    this.privateKey = privateKey;
    this.publicKey = publicKey;
  }

  /** Names of the subjects' keys, one of each kind and size that this CA certifies. */
  public static final List<String> NAMES =
      List.of(
          "rsa-2048", "rsa-3072", "rsa-4096", "ec-p256", "ec-p384", "ec-p521", "ed25519", "ed448");

  /** Names of the issuers' keys. */
  public static final List<String> ISSUER_NAMES =
      List.of(
          "issuer-rsa-2048",
          "issuer-ec-p256",
          "issuer-ec-p384",
          "issuer-ec-p521",
          "issuer-ed25519");

  /** Reads the key called {@code name} from the test resources. */
  public static SoftwareKey named(String name) {
    try (InputStream in = SoftwareKey.class.getResourceAsStream(name + ".pem")) {
      if (in == null) {
        throw new IllegalArgumentException("no test key " + name);
      }
      String pem = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      KeyFactory factory = KeyFactory.getInstance(familyOf(name));
      return new SoftwareKey(
          factory.generatePrivate(new PKCS8EncodedKeySpec(Pem.read("PRIVATE KEY", pem))),
          PublicKeyReader.read(Pem.read("PUBLIC KEY", pem)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException | DerException e) {
      throw new IllegalStateException("test key " + name, e);
    }
  }

  /** Makes a new key of the kind of {@code name}, e.g. ec-p256 or rsa-2048. */
  public static SoftwareKey generate(String name) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(familyOf(name));
      switch (familyOf(name)) {
        case "RSA" -> generator.initialize(Integer.parseInt(name.substring("rsa-".length())));
        case "EC" ->
            generator.initialize(
                new ECGenParameterSpec("secp" + name.substring("ec-p".length()) + "r1"));
        default -> {}
      }
      KeyPair pair = generator.generateKeyPair();
      return new SoftwareKey(
          pair.getPrivate(), PublicKeyReader.read(pair.getPublic().getEncoded()));
    } catch (GeneralSecurityException | DerException e) {
      throw new IllegalStateException("test key " + name, e);
    }
  }

  /** Returns the public half. */
  public SubjectPublicKeyInfo publicKey() {
    return publicKey;
  }

  /** Returns the public half as the JDK's provider reads it. */
  public PublicKey jdkPublicKey() {
    try {
      return KeyFactory.getInstance(privateKey.getAlgorithm())
          .generatePublic(new X509EncodedKeySpec(publicKey.encoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("test key", e);
    }
  }

  /** Signs; RSA PKCS#1 and EdDSA give the same signature each time. */
  public OctetString sign(SignatureAlgorithm algorithm, OctetString message) {
    try {
      Signature signature = jdkSignature(algorithm);
      signature.initSign(privateKey);
      signature.update(message.octets());
      return OctetString.copyOf(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("test key cannot sign " + algorithm, e);
    }
  }

  /** Returns the JDK's engine of this algorithm, with its parameters. */
  public static Signature jdkSignature(SignatureAlgorithm algorithm)
      throws GeneralSecurityException {
    Signature signature = Signature.getInstance(jdkName(algorithm));
    switch (algorithm) {
      case RSASSA_PSS_SHA256 -> signature.setParameter(pss("SHA-256", 32));
      case RSASSA_PSS_SHA384 -> signature.setParameter(pss("SHA-384", 48));
      case RSASSA_PSS_SHA512 -> signature.setParameter(pss("SHA-512", 64));
      case RSA_PKCS1_SHA256,
          RSA_PKCS1_SHA384,
          RSA_PKCS1_SHA512,
          ECDSA_SHA256,
          ECDSA_SHA384,
          ECDSA_SHA512,
          ED25519,
          ED448 -> {}
    }
    return signature;
  }

  /** Returns the JDK's engine of a PSS algorithm with a salt of {@code saltOctets}. */
  public static Signature jdkPss(SignatureAlgorithm algorithm, int saltOctets)
      throws GeneralSecurityException {
    Signature signature = jdkSignature(algorithm);
    PSSParameterSpec own = signature.getParameters().getParameterSpec(PSSParameterSpec.class);
    signature.setParameter(pss(own.getDigestAlgorithm(), saltOctets));
    return signature;
  }

  private static PSSParameterSpec pss(String hash, int saltLength) {
    return new PSSParameterSpec(
        hash, "MGF1", new java.security.spec.MGF1ParameterSpec(hash), saltLength, 1);
  }

  private static String jdkName(SignatureAlgorithm algorithm) {
    return switch (algorithm) {
      case RSA_PKCS1_SHA256 -> "SHA256withRSA";
      case RSA_PKCS1_SHA384 -> "SHA384withRSA";
      case RSA_PKCS1_SHA512 -> "SHA512withRSA";
      case RSASSA_PSS_SHA256, RSASSA_PSS_SHA384, RSASSA_PSS_SHA512 -> "RSASSA-PSS";
      case ECDSA_SHA256 -> "SHA256withECDSA";
      case ECDSA_SHA384 -> "SHA384withECDSA";
      case ECDSA_SHA512 -> "SHA512withECDSA";
      case ED25519 -> "Ed25519";
      case ED448 -> "Ed448";
    };
  }

  private static String familyOf(String name) {
    String kind = name.replace("issuer-", "");
    if (kind.startsWith("rsa")) {
      return "RSA";
    }
    if (kind.startsWith("ec")) {
      return "EC";
    }
    return kind.startsWith("ed448") ? "Ed448" : "Ed25519";
  }
}
