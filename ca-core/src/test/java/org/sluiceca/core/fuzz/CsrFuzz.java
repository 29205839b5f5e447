package org.sluiceca.core.fuzz;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import org.sluiceca.core.der.CertificationRequest;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CsrDer;

/**
 * Any bytes as a request: steps 3 and 4 refuse them by {@link RejectedException} or take a request
 * that is its own re-encoding, and whose signature the JDK verifies as well.
 */
public final class CsrFuzz {

  private static final AcceptLine LINE =
      new AcceptLine(Fixtures.tlsServer(), Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")));

  private CsrFuzz() {}

  /** Jazzer's entry. */
  public static void fuzzerTestOneInput(byte[] data) {
    CsrDer csr = CsrDer.of(data);
    CertificationRequest read;
    try {
      read = CsrReader.read(csr);
    } catch (DerException e) {
      return;
    }
    // The algorithm between the two may be written in more than one way (RFC 4055 2.1, 3.1).
    byte[] signed = read.signed().octets();
    byte[] signature = read.signature().octets();
    int start = data[1] >= 0 ? 2 : 2 + (data[1] & 0x7F);
    Promise.require(
        Arrays.equals(data, start, start + signed.length, signed, 0, signed.length)
            && Arrays.equals(
                data, data.length - signature.length, data.length, signature, 0, signature.length),
        "read, but the octets that were signed are others");
    try {
      LINE.plan(csr);
    } catch (RejectedException e) {
      return;
    }
    Promise.require(jdkVerifies(read), "planned, but the JDK does not verify the signature");
  }

  private static boolean jdkVerifies(CertificationRequest csr) {
    try {
      String family =
          switch (csr.subjectPublicKeyInfo().key().algorithm()) {
            case RSA -> "RSA";
            case EC_P256, EC_P384, EC_P521 -> "EC";
            case ED25519, ED448 -> "EdDSA";
          };
      PublicKey key =
          KeyFactory.getInstance(family)
              .generatePublic(new X509EncodedKeySpec(csr.subjectPublicKeyInfo().encoded()));
      Signature signature =
          csr.pssSaltOctets().isPresent()
              ? SoftwareKey.jdkPss(csr.signatureAlgorithm(), csr.pssSaltOctets().getAsInt())
              : SoftwareKey.jdkSignature(csr.signatureAlgorithm());
      signature.initVerify(key);
      signature.update(csr.signed().octets());
      return signature.verify(csr.signature().octets());
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
