package org.sluiceca.core.csr;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.sluiceca.core.x509.SubjectPublicKey;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Keys whose private half is known to others, and primes that more than one key has: the operator's
 * own list (docs/CONFIGURATION.md, "Known bad keys"). Immutable.
 *
 * <p>A hash is kept by its first 64 bits, sorted: a million of them are 8 MB, and an innocent key
 * is refused by mistake once in 2^44 at that size.
 */
public final class KeyBlocklist {

  /** The list without an entry, which refuses nothing. */
  public static final KeyBlocklist EMPTY = new KeyBlocklist(new long[0], new long[0], List.of());

  /** Reading a million hashes takes 40 MB for a moment, which a node of 96 MB has at its start. */
  public static final int LINES_MAX = 1_000_000;

  /** A prime costs each RSA request a division, 3 µs for 2048 bits. */
  public static final int FACTORS_MAX = 64;

  /** Smaller primes are found by factoring; an entry below this is a slip that refuses many. */
  private static final int FACTOR_BITS_MIN = 128;

  private static final int FACTOR_BITS_MAX = 8192;

  private static final Pattern SPKI_SHA256 = Pattern.compile("[0-9A-Fa-f]{64}");

  /** The tail of a SHA-1, as openssl-vulnkey(1) and its lists have it. */
  private static final Pattern OPENSSL_MODULUS = Pattern.compile("[0-9A-Fa-f]{20}");

  private static final Pattern RSA_FACTOR = Pattern.compile("rsa-factor +([0-9A-Fa-f]{1,2048})");

  private static final int OPENSSL_TAIL_AT = 10;

  private final long[] spkiHashes;
  private final long[] modulusHashes;
  private final List<BigInteger> factors;

  private KeyBlocklist(long[] spkiHashes, long[] modulusHashes, List<BigInteger> factors) {
    this.spkiHashes = spkiHashes;
    this.modulusHashes = modulusHashes;
    this.factors = List.copyOf(factors);
  }

  /**
   * Reads a list; empty lines and those that begin with {@code #} say nothing.
   *
   * @throws IllegalArgumentException if a line is of no known form, or there are too many; it names
   *     the line's number
   */
  public static KeyBlocklist parse(Iterator<String> lines) {
    LongStream.Builder spki = LongStream.builder();
    LongStream.Builder modulus = LongStream.builder();
    List<BigInteger> factors = new ArrayList<>();
    for (int number = 1; lines.hasNext(); number++) {
      if (number > LINES_MAX) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "key blocklist of more than %d lines", LINES_MAX));
      }
      String line = lines.next().strip();
      var factor = RSA_FACTOR.matcher(line);
      if (SPKI_SHA256.matcher(line).matches()) {
        spki.add(Long.parseUnsignedLong(line, 0, 16, 16));
      } else if (OPENSSL_MODULUS.matcher(line).matches()) {
        modulus.add(Long.parseUnsignedLong(line, 0, 16, 16));
      } else if (factor.matches()) {
        factors.add(factor(new BigInteger(factor.group(1), 16), number));
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "key blocklist, line %d: neither a hash of 64 or 20 hexadecimal digits nor rsa-factor",
                number));
      }
    }
    if (factors.size() > FACTORS_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "key blocklist with %d rsa-factor lines, allowed %d",
              factors.size(),
              FACTORS_MAX));
    }
    return new KeyBlocklist(
        spki.build().sorted().toArray(), modulus.build().sorted().toArray(), factors);
  }

  private static BigInteger factor(BigInteger factor, int line) {
    if (factor.bitLength() < FACTOR_BITS_MIN
        || factor.bitLength() > FACTOR_BITS_MAX
        || !factor.testBit(0)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "key blocklist, line %d: rsa-factor of %d bits, wanted an odd number of %d to %d",
              line,
              factor.bitLength(),
              FACTOR_BITS_MIN,
              FACTOR_BITS_MAX));
    }
    return factor;
  }

  /** Returns the number of entries. */
  public int size() {
    return spkiHashes.length + modulusHashes.length + factors.size();
  }

  /** Returns what is known against this key, in words, or empty. */
  Optional<String> fault(SubjectPublicKeyInfo key) {
    if (spkiHashes.length > 0 && contains(spkiHashes, hash("SHA-256", key.encoded()), 0)) {
      return Optional.of("a key known to be compromised (by SHA-256 of its SubjectPublicKeyInfo)");
    }
    return key.key() instanceof SubjectPublicKey.Rsa rsa ? fault(rsa) : Optional.empty();
  }

  private Optional<String> fault(SubjectPublicKey.Rsa key) {
    if (modulusHashes.length > 0) {
      String text = "Modulus=" + key.modulus().toString(16).toUpperCase(Locale.ROOT) + "\n";
      byte[] hash = hash("SHA-1", text.getBytes(StandardCharsets.US_ASCII));
      if (contains(modulusHashes, hash, OPENSSL_TAIL_AT)) {
        return Optional.of("an RSA key known to be compromised (by SHA-1 of its modulus)");
      }
    }
    for (BigInteger factor : factors) {
      if (key.modulus().mod(factor).signum() == 0) {
        return Optional.of("an RSA key with a prime known to be shared");
      }
    }
    return Optional.empty();
  }

  private static boolean contains(long[] sorted, byte[] hash, int at) {
    long head = new BigInteger(1, hash, at, Long.BYTES).longValue();
    return Arrays.binarySearch(sorted, head) >= 0;
  }

  /** SHA-1 only because published lists use it; nothing is trusted because of it. */
  private static byte[] hash(String algorithm, byte[] bytes) {
    try {
      return MessageDigest.getInstance(algorithm).digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has " + algorithm, e);
    }
  }
}
