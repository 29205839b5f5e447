package org.sluiceca.load.day;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.ECNamedCurveTable;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.sluiceca.load.CsrCorpus;
import org.sluiceca.load.page.Text;

/**
 * Makes certification requests (RFC 2986) for as many names as one likes, from a pool of keys that
 * is made beforehand, and is the same each time: a session that goes on asks for the same, or its
 * Idempotency-Keys would be refused. Thread-safe.
 *
 * <p>Twenty million requests would take 10 GB and two hours to be made beforehand; one made at the
 * moment with a fresh ECDSA nonce takes the client some 100 µs of the processors that the service
 * needs too. So each key of the pool keeps one nonce, with its inverse: what is left of a signature
 * is a hash and two multiplications. An observer of two signatures can compute the key, which
 * protects nothing: the certificates are not kept.
 */
final class CsrGenerator {

  /** Distinct keys: a key seen before is cheaper in some libraries. */
  private static final int KEYS = 2_000;

  private static final X9ECParameters CURVE = ECNamedCurveTable.getByName("secp256r1");
  private static final BigInteger ORDER = CURVE.getN();
  private static final AlgorithmIdentifier KEY =
      new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, X9ObjectIdentifiers.prime256v1);

  /** As long as any other name. */
  private static final String PLACEHOLDER = name(0);

  private static final int SEQUENCE = 0x30;
  private static final int BIT_STRING = 0x03;

  private final List<Press> presses = new ArrayList<>();
  private final byte[] algorithm;

  /** Makes the pool of keys. */
  CsrGenerator() throws IOException, GeneralSecurityException {
    algorithm =
        new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256).getEncoded(ASN1Encoding.DER);
    for (int i = 0; i < KEYS; i++) {
      presses.add(new Press(scalar("key " + i), scalar("nonce " + i)));
    }
  }

  private static BigInteger scalar(String of) throws GeneralSecurityException {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(of.getBytes(StandardCharsets.UTF_8));
    return new BigInteger(1, hash).mod(ORDER);
  }

  private static ECPoint times(BigInteger scalar) {
    return new FixedPointCombMultiplier().multiply(CURVE.getG(), scalar);
  }

  /**
   * Returns the common name and only subjectAltName of a request.
   *
   * @param number 0 to 99,999,999,999
   */
  static String name(long number) {
    return Text.format("h%011d.day.example", number);
  }

  /** Returns what the names of a hundred numbers begin with, this one among them. */
  static String prefix(long number) {
    return name(number).substring(0, 10);
  }

  /** Returns the request with that number, in base64. */
  String request(long number) {
    return Base64.getEncoder()
        .encodeToString(presses.get((int) (number % presses.size())).request(name(number)));
  }

  /** One key with its nonce, and what a request of it has but its name. */
  private final class Press {
    private final byte[] info;
    private final BigInteger nonceInverse;
    private final BigInteger r;

    /** The part of each signature that the key has: r times the key. */
    private final BigInteger share;

    Press(BigInteger key, BigInteger nonce) throws IOException {
      byte[] point = times(key).getEncoded(false);
      info =
          CsrCorpus.info(new SubjectPublicKeyInfo(KEY, point), PLACEHOLDER)
              .getEncoded(ASN1Encoding.DER);
      nonceInverse = nonce.modInverse(ORDER);
      r = times(nonce).normalize().getAffineXCoord().toBigInteger().mod(ORDER);
      share = r.multiply(key).mod(ORDER);
    }

    byte[] request(String name) {
      byte[] own = info.clone();
      byte[] octets = name.getBytes(StandardCharsets.US_ASCII);
      // A request has two, and they are where they were before.
      String text = new String(info, StandardCharsets.ISO_8859_1);
      for (int at = text.indexOf(PLACEHOLDER); at >= 0; at = text.indexOf(PLACEHOLDER, at + 1)) {
        System.arraycopy(octets, 0, own, at, octets.length);
      }
      ByteArrayOutputStream content = new ByteArrayOutputStream(own.length + 100);
      content.writeBytes(own);
      content.writeBytes(algorithm);
      byte[] signature = signature(own);
      head(content, BIT_STRING, signature.length + 1);
      // No unused bits.
      content.write(0);
      content.writeBytes(signature);
      ByteArrayOutputStream whole = new ByteArrayOutputStream(content.size() + 4);
      head(whole, SEQUENCE, content.size());
      whole.writeBytes(content.toByteArray());
      return whole.toByteArray();
    }

    /** SEC 1 4.1.3, in the form of RFC 3279 2.2.3. */
    private byte[] signature(byte[] signed) {
      try {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(signed);
        BigInteger s = nonceInverse.multiply(new BigInteger(1, hash).add(share)).mod(ORDER);
        return new DERSequence(new ASN1Integer[] {new ASN1Integer(r), new ASN1Integer(s)})
            .getEncoded(ASN1Encoding.DER);
      } catch (IOException | GeneralSecurityException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
    }

    private static void head(ByteArrayOutputStream out, int tag, int length) {
      out.write(tag);
      if (length > 255) {
        out.write(0x82);
        out.write(length >> 8);
      } else if (length > 127) {
        out.write(0x81);
      }
      out.write(length & 255);
    }
  }
}
