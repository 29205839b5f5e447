package org.sluiceca.api.simulation;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.math.ec.rfc8032.Ed25519;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * An Ed25519 key whose nonces are given from outside (RFC 8032 5.1.6, with r chosen): as random as
 * ECDSA's signatures, so that signing twice shows, and at a tenth of their cost. For tests alone:
 * the nonces must be secret in earnest.
 */
final class NoncedKey {

  private static final BigInteger ORDER =
      BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
  private static final byte[] SPKI_HEAD = HexFormat.of().parseHex("302a300506032b6570032100");
  private static final int OCTETS = 32;

  private final BigInteger scalar;
  private final byte[] point;

  NoncedKey(byte[] seed) {
    this.scalar = scalar(seed);
    this.point = point(seed);
  }

  SubjectPublicKeyInfo publicKey() {
    byte[] spki = Arrays.copyOf(SPKI_HEAD, SPKI_HEAD.length + OCTETS);
    System.arraycopy(point, 0, spki, SPKI_HEAD.length, OCTETS);
    try {
      return PublicKeyReader.read(spki);
    } catch (DerException e) {
      throw new IllegalStateException("an Ed25519 key", e);
    }
  }

  OctetString sign(byte[] message, byte[] nonce) {
    byte[] commitment = point(nonce);
    MessageDigest sha512 = sha512();
    sha512.update(commitment);
    sha512.update(point);
    BigInteger challenge = littleEndian(sha512.digest(message)).mod(ORDER);
    byte[] response = scalar(nonce).add(challenge.multiply(scalar)).mod(ORDER).toByteArray();
    byte[] signature = Arrays.copyOf(commitment, 2 * OCTETS);
    for (int i = 0; i < response.length && i < OCTETS; i++) {
      signature[OCTETS + i] = response[response.length - 1 - i];
    }
    return OctetString.copyOf(signature);
  }

  private static byte[] point(byte[] seed) {
    byte[] point = new byte[OCTETS];
    Ed25519.generatePublicKey(seed, 0, point, 0);
    return point;
  }

  private static BigInteger scalar(byte[] seed) {
    byte[] half = Arrays.copyOf(sha512().digest(seed), OCTETS);
    half[0] &= (byte) 0xF8;
    half[OCTETS - 1] &= 0x7F;
    half[OCTETS - 1] |= 0x40;
    return littleEndian(half);
  }

  private static BigInteger littleEndian(byte[] octets) {
    byte[] reversed = new byte[octets.length];
    for (int i = 0; i < octets.length; i++) {
      reversed[i] = octets[octets.length - 1 - i];
    }
    return new BigInteger(1, reversed);
  }

  private static MessageDigest sha512() {
    try {
      return MessageDigest.getInstance("SHA-512");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-512", e);
    }
  }
}
