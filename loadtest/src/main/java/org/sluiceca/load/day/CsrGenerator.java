package org.sluiceca.load.day;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.sluiceca.load.CsrCorpus;
import org.sluiceca.load.page.Text;

/**
 * Makes certification requests (RFC 2986) for as many names as one likes, from a pool of keys that
 * is made beforehand. Thread-safe.
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

  private static final String CURVE = "secp256r1";

  /** As long as any other name. */
  private static final String PLACEHOLDER = name(0);

  private static final int SEQUENCE = 0x30;
  private static final int BIT_STRING = 0x03;

  private final List<Press> presses;

  private CsrGenerator(List<Press> presses) {
    this.presses = List.copyOf(presses);
  }

  /** Makes a pool of {@code keys} keys. */
  static CsrGenerator make(int keys) throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(CURVE));
    List<Press> presses = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      presses.add(Press.of(generator.generateKeyPair(), generator.generateKeyPair()));
    }
    return new CsrGenerator(presses);
  }

  /**
   * Opens the pool in a file, and makes it if it is not there. The request of a number is the same
   * to the octet from whatever session: it goes with one Idempotency-Key, and another request under
   * it would be refused.
   */
  static CsrGenerator open(Path file) throws IOException, GeneralSecurityException {
    if (!Files.exists(file)) {
      Path fresh = file.resolveSibling(file.getFileName() + ".new");
      Files.write(fresh, make(KEYS).presses.stream().map(Press::words).toList());
      try (FileChannel written = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        written.force(true);
      }
      Path ignored = Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
    List<Press> presses = new ArrayList<>();
    for (String words : Files.readAllLines(file)) {
      presses.add(Press.parse(words));
    }
    if (presses.size() != KEYS) {
      throw new IOException("not " + KEYS + " keys but " + presses.size() + " in " + file);
    }
    return new CsrGenerator(presses);
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

  /**
   * A key, its nonce, and a request of it in which the name can be put: {@code info} is its
   * CertificationRequestInfo with the placeholder, {@code r} comes from the nonce, {@code share} is
   * {@code r} times the private key.
   */
  private static final class Press {
    private final byte[] info;
    private final byte[] algorithm;
    private final BigInteger order;
    private final BigInteger nonceInverse;
    private final BigInteger r;
    private final BigInteger share;

    private Press(
        byte[] info,
        byte[] algorithm,
        BigInteger order,
        BigInteger nonceInverse,
        BigInteger r,
        BigInteger share) {
      this.info = info;
      this.algorithm = algorithm;
      this.order = order;
      this.nonceInverse = nonceInverse;
      this.r = r;
      this.share = share;
    }

    static Press of(KeyPair key, KeyPair nonce) throws IOException, GeneralSecurityException {
      CertificationRequest request =
          CertificationRequest.getInstance(CsrCorpus.request(key, PLACEHOLDER));
      ECPrivateKey secret = (ECPrivateKey) key.getPrivate();
      BigInteger order = secret.getParams().getOrder();
      BigInteger r = ((ECPublicKey) nonce.getPublic()).getW().getAffineX().mod(order);
      return new Press(
          request.getCertificationRequestInfo().getEncoded(ASN1Encoding.DER),
          request.getSignatureAlgorithm().getEncoded(ASN1Encoding.DER),
          order,
          ((ECPrivateKey) nonce.getPrivate()).getS().modInverse(order),
          r,
          r.multiply(secret.getS()).mod(order));
    }

    String words() {
      HexFormat hex = HexFormat.of();
      return String.join(
          " ",
          hex.formatHex(info),
          hex.formatHex(algorithm),
          order.toString(16),
          nonceInverse.toString(16),
          r.toString(16),
          share.toString(16));
    }

    static Press parse(String words) throws IOException {
      String[] parts = words.split(" ", -1);
      if (parts.length != 6) {
        throw new IOException("not a key: '" + words + "'");
      }
      return new Press(
          HexFormat.of().parseHex(parts[0]),
          HexFormat.of().parseHex(parts[1]),
          new BigInteger(parts[2], 16),
          new BigInteger(parts[3], 16),
          new BigInteger(parts[4], 16),
          new BigInteger(parts[5], 16));
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
