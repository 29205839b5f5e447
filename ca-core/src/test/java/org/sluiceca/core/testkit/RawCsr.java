package org.sluiceca.core.testkit;

import static org.sluiceca.core.testkit.RawDer.bitString;
import static org.sluiceca.core.testkit.RawDer.hex;
import static org.sluiceca.core.testkit.RawDer.integer;
import static org.sluiceca.core.testkit.RawDer.join;
import static org.sluiceca.core.testkit.RawDer.sequence;
import static org.sluiceca.core.testkit.RawDer.tlv;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * A certification request for {@code a.test}, of which any part can be replaced by any bytes. It is
 * signed after that, by an Ed25519 key, so nothing is wrong with it but what was put in.
 */
public final class RawCsr {

  private static final SoftwareKey KEY = SoftwareKey.named("ed25519");
  private static final byte[] EXTENSION_REQUEST = hex("06092a864886f70d01090e");
  private static final byte[] SUBJECT_ALT_NAME = hex("0603551d11");
  private static final byte[] COMMON_NAME = hex("0603550403");

  private byte[] version = integer(BigInteger.ZERO);
  private byte[] subject = sequence(relativeName(COMMON_NAME, utf8("a.test")));
  private byte[] key = KEY.publicKey().encoded();
  private byte[] attributes = tlv(0xA0, extensionRequest(subjectAltName(dns("a.test"))));
  private byte[] algorithm = sequence(hex("06032b6570"));
  private byte[] behind = {};
  private SoftwareKey signer = KEY;
  private boolean isSigned = true;

  /** A request with which nothing is wrong. */
  public static RawCsr sound() {
    return new RawCsr();
  }

  /** Replaces the version. */
  public RawCsr version(long value) {
    version = integer(BigInteger.valueOf(value));
    return this;
  }

  /** Replaces the subject by one of these relative names. */
  public RawCsr subject(byte[]... relativeNames) {
    subject = sequence(relativeNames);
    return this;
  }

  /** Replaces the common name's value, a whole encoding. */
  public RawCsr commonName(byte[] value) {
    return subject(relativeName(COMMON_NAME, value));
  }

  /** Replaces the key. Its holder is not here: the signature is one of zeros. */
  public RawCsr key(byte[] encoded) {
    key = encoded;
    isSigned = false;
    return this;
  }

  /** Replaces the key by this one, which also signs. */
  public RawCsr key(SoftwareKey other, byte[] algorithmIdentifier) {
    key = other.publicKey().encoded();
    signer = other;
    algorithm = algorithmIdentifier;
    return this;
  }

  /** Signs by a key that is not the one in the request. */
  public RawCsr signedBy(SoftwareKey other) {
    signer = other;
    return this;
  }

  /** Replaces the attributes' content. */
  public RawCsr attributes(byte[]... values) {
    attributes = tlv(0xA0, values);
    return this;
  }

  /** Replaces the attributes by one extensionRequest. */
  public RawCsr extensions(byte[]... extensions) {
    return attributes(extensionRequest(extensions));
  }

  /** Replaces the attributes by one that asks for these names. */
  public RawCsr names(byte[]... names) {
    return extensions(subjectAltName(names));
  }

  /** Replaces the signature's algorithm, not the way in which it is made. */
  public RawCsr algorithm(byte[] identifier) {
    algorithm = identifier;
    return this;
  }

  /** Adds an element behind the certificationRequestInfo's last. */
  public RawCsr behindTheAttributes(byte[] element) {
    behind = element;
    return this;
  }

  /** The certificationRequestInfo. */
  public byte[] info() {
    return sequence(version, subject, key, attributes, behind);
  }

  /** The request, signed. */
  public byte[] bytes() {
    return sequence(info(), algorithm, bitString(signature()));
  }

  /** The signature's octets. */
  public byte[] signature() {
    if (!isSigned) {
      return new byte[64];
    }
    SignatureAlgorithm by = SignatureAlgorithm.ofIssuer(signer.publicKey().key());
    return signer.sign(by, OctetString.copyOf(info())).octets();
  }

  /** The algorithm's encoding. */
  public byte[] algorithm() {
    return algorithm.clone();
  }

  /** An extensionRequest attribute. */
  public static byte[] extensionRequest(byte[]... extensions) {
    return sequence(EXTENSION_REQUEST, tlv(0x31, sequence(extensions)));
  }

  /** An extension of this OID, which may be critical. */
  public static byte[] extension(String oid, boolean isCritical, byte[] value) {
    byte[] critical = isCritical ? hex("0101ff") : new byte[0];
    return sequence(hex(oid), critical, tlv(0x04, value));
  }

  /** The subjectAltName extension. */
  public static byte[] subjectAltName(byte[]... names) {
    return sequence(SUBJECT_ALT_NAME, tlv(0x04, sequence(names)));
  }

  /** {@code count} DNS names, as short as they can be. */
  public static byte[][] dnsNames(int count) {
    List<byte[]> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(dns(Integer.toString(i, 36)));
    }
    return names.toArray(byte[][]::new);
  }

  /** A dNSName. */
  public static byte[] dns(String name) {
    return tlv(0x82, name.getBytes(StandardCharsets.UTF_8));
  }

  /** A relative name of one attribute. */
  public static byte[] relativeName(byte[] oid, byte[] value) {
    return tlv(0x31, sequence(oid, value));
  }

  /** A UTF8String. */
  public static byte[] utf8(String text) {
    return tlv(0x0C, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The key of an EC point on the curve of this OID. */
  public static byte[] ecKey(String curve, byte[]... point) {
    return sequence(sequence(hex("06072a8648ce3d0201"), hex(curve)), bitString(join(point)));
  }

  /** The key of an EdDSA point. */
  public static byte[] edKey(String oid, byte[] point) {
    return sequence(sequence(hex(oid)), bitString(point));
  }
}
