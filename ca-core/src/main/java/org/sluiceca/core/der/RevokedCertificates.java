package org.sluiceca.core.der;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Enumerated;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x509.Extension;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The entries of a CRL (RFC 5280 5.1.2.6, 5.3), encoded as they come: 40 bytes each, where the
 * library's objects would take some 600, so that 100,000 fit a small heap. Not thread-safe.
 */
public final class RevokedCertificates {

  /** 2 million entries: more than a relying party should have to fetch. */
  public static final int OCTETS_MAX = 80_000_000;

  private static final int INTEGER = 0x02;

  private static final byte[] NOTHING = new byte[0];

  /** RFC 5280 5.3.1 removeFromCRL. */
  private static final byte[] REMOVE_FROM_CRL = reasonCode(8);

  /** Of each reason; none for unspecified, which RFC 5280 5.3.1 wants absent. */
  private static final Map<RevocationReason, byte[]> REASONS =
      new EnumMap<>(RevocationReason.class);

  static {
    for (RevocationReason reason : RevocationReason.values()) {
      REASONS.put(
          reason, reason == RevocationReason.UNSPECIFIED ? NOTHING : reasonCode(reason.code()));
    }
  }

  private final ByteArrayOutputStream entries = new ByteArrayOutputStream(1 << 12);
  private int count;

  /**
   * Adds an entry.
   *
   * @throws IllegalStateException if there are too many for one CRL: the issuer needs shards
   */
  public void add(
      SerialNumber serialNumber,
      Instant revokedAt,
      RevocationReason reason,
      Optional<Instant> invalidityDate) {
    add(
        serialNumber,
        revokedAt,
        reasonCode(reason),
        invalidityDate.map(RevokedCertificates::invalidityDate).orElse(NOTHING));
  }

  private void add(SerialNumber serialNumber, Instant at, byte[] reasonCode, byte[] invalidity) {
    byte[] serial = serialNumber.octets();
    byte[] time = Times.encode(at);
    int extensions = reasonCode.length + invalidity.length;
    int length =
        Encodings.headerOctets(serial.length)
            + serial.length
            + time.length
            + (extensions == 0 ? 0 : Encodings.headerOctets(extensions) + extensions);
    if (entries.size() + length > OCTETS_MAX) {
      throw new IllegalStateException("more than " + count + " entries: the issuer needs shards");
    }
    Encodings.writeHeader(entries, Encodings.SEQUENCE, length);
    Encodings.writeHeader(entries, INTEGER, serial.length);
    entries.writeBytes(serial);
    entries.writeBytes(time);
    if (extensions > 0) {
      Encodings.writeHeader(entries, Encodings.SEQUENCE, extensions);
      entries.writeBytes(reasonCode);
      entries.writeBytes(invalidity);
    }
    count++;
  }

  /**
   * Adds an entry with reasonCode removeFromCRL, which a delta CRL alone may have (RFC 5280 5.3.1):
   * the certificate is no longer on the complete CRL, its hold being over, or it itself.
   *
   * @throws IllegalStateException as {@link #add}
   */
  public void addRemoved(SerialNumber serialNumber, Instant at) {
    add(serialNumber, at, REMOVE_FROM_CRL, NOTHING);
  }

  /** Returns how many entries there are. */
  public int count() {
    return count;
  }

  int octets() {
    return entries.size();
  }

  void writeTo(ByteArrayOutputStream out) {
    try {
      entries.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException("in-memory copying failed", e);
    }
  }

  private static byte[] reasonCode(RevocationReason reason) {
    byte[] extension = REASONS.get(reason);
    if (extension == null) {
      throw new IllegalStateException("no reasonCode for " + reason);
    }
    return extension;
  }

  private static byte[] reasonCode(int code) {
    return Encodings.der(
        new Extension(
            Extension.reasonCode,
            false,
            new DEROctetString(Encodings.der(new ASN1Enumerated(code)))));
  }

  private static byte[] invalidityDate(Instant date) {
    return Encodings.der(
        new Extension(
            Extension.invalidityDate, false, new DEROctetString(Times.encodeGeneralized(date))));
  }
}
