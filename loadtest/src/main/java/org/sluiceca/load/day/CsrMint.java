package org.sluiceca.load.day;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.sluiceca.load.CsrCorpus;

/**
 * Makes certification requests (RFC 2986) for as many names as one likes, from a pool of keys that
 * is made beforehand. Thread-safe.
 *
 * <p>Twenty million requests would take 10 GB and two hours to be made beforehand; one made at the
 * moment with a fresh ECDSA nonce takes the client some 100 µs of the processors that the service
 * needs too. So each key of the pool keeps one nonce, with its inverse: what is left of a signature
 * is a hash and two multiplications. Whoever sees two of them can compute the key, which guards
 * nothing: nobody keeps the certificates.
 */
final class CsrMint {

  /** Distinct keys: a key seen before is cheaper in some libraries. */
  private static final int KEYS = 2_000;

  /** As long as any other name. */
  private static final String PLACEHOLDER = name(0);

  private static final int SEQUENCE = 0x30;
  private static final int BIT_STRING = 0x03;

  private final List<Press> presses = new ArrayList<>();

  CsrMint() throws IOException, GeneralSecurityException {
    this(KEYS);
  }

  /** With so many keys. */
  CsrMint(int keys) throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    for (int i = 0; i < keys; i++) {
      presses.add(new Press(generator.generateKeyPair(), generator.generateKeyPair()));
    }
  }

  /**
   * Returns the common name and only subjectAltName of a request.
   *
   * @param number 0 to 99,999,999,999
   */
  static String name(long number) {
    return "h%011d.day.example".formatted(number);
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

  /** A key, its nonce, and a request of it in which the name can be put. */
  private static final class Press {
    private final byte[] info;
    private final List<Integer> places = new ArrayList<>();
    private final byte[] algorithm;
    private final BigInteger order;
    private final BigInteger nonceInverse;
    private final BigInteger r;

    /** {@code r} times the private key. */
    private final BigInteger share;

    Press(KeyPair key, KeyPair nonce) throws IOException, GeneralSecurityException {
      CertificationRequest request =
          CertificationRequest.getInstance(CsrCorpus.request(key, PLACEHOLDER));
      info = request.getCertificationRequestInfo().getEncoded(ASN1Encoding.DER);
      algorithm = request.getSignatureAlgorithm().getEncoded(ASN1Encoding.DER);
      String text = new String(info, StandardCharsets.ISO_8859_1);
      for (int at = text.indexOf(PLACEHOLDER); at >= 0; at = text.indexOf(PLACEHOLDER, at + 1)) {
        places.add(at);
      }
      ECPrivateKey secret = (ECPrivateKey) key.getPrivate();
      order = secret.getParams().getOrder();
      r = ((ECPublicKey) nonce.getPublic()).getW().getAffineX().mod(order);
      nonceInverse = ((ECPrivateKey) nonce.getPrivate()).getS().modInverse(order);
      share = r.multiply(secret.getS()).mod(order);
    }

    byte[] request(String name) {
      byte[] own = info.clone();
      byte[] octets = name.getBytes(StandardCharsets.US_ASCII);
      for (int at : places) {
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
        BigInteger s = nonceInverse.multiply(new BigInteger(1, hash).add(share)).mod(order);
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
