package org.sluiceca.api.platform.verify;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.util.HexFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.verify.ProviderVerifier;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Chooses the verifier of signatures: the native library where it loads and knows right from wrong,
 * else Java's, which gives the same answers more slowly (docs/adr/0014).
 */
public final class NativeCrypto {

  private static final Logger LOG = LoggerFactory.getLogger(NativeCrypto.class);

  // RFC 6979 A.2.5: P-256, SHA-256, message "sample".
  private static final String KEY =
      "3059301306072a8648ce3d020106082a8648ce3d03010703420004"
          + "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
          + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";
  private static final String MESSAGE = "73616d706c65";
  private static final String SIGNATURE =
      "3046022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
          + "022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8";

  private NativeCrypto() {}

  /** Returns the fastest verifier of this machine. */
  public static SignatureVerifier verifier() {
    AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
    Throwable fault = provider.getLoadingError();
    if (fault != null) {
      LOG.info("signatures are verified in Java: no native library here ({})", fault.toString());
      return new BouncyCastleVerifier();
    }
    SignatureVerifier verifier = new ProviderVerifier(provider);
    requireSound(verifier);
    return verifier;
  }

  /** A verifier that calls wrong right would undo steps 3 and 7: the node must not start. */
  private static void requireSound(SignatureVerifier verifier) {
    if (!verifies(verifier, MESSAGE) || verifies(verifier, MESSAGE + "00")) {
      throw new IllegalStateException(
          "the native library fails a known answer; sluice.native-crypto=false does without it");
    }
  }

  private static boolean verifies(SignatureVerifier verifier, String message) {
    HexFormat hex = HexFormat.of();
    try {
      SubjectPublicKeyInfo key = PublicKeyReader.read(hex.parseHex(KEY));
      return verifier.verifies(
          key,
          SignatureAlgorithm.ECDSA_SHA256,
          OctetString.copyOf(hex.parseHex(message)),
          OctetString.copyOf(hex.parseHex(SIGNATURE)));
    } catch (DerException e) {
      throw new IllegalStateException("a constant does not parse", e);
    }
  }
}
