package org.sluiceca.load.drill;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.watch.NodeAddresses;

/**
 * A CRL as relying parties have it.
 *
 * @param hex its octets
 */
record PublishedCrl(String hex, X509CRL crl) {

  private static final Duration LOOK = Duration.ofMillis(200);

  private static final String CRL_NUMBER = "2.5.29.20";

  /** An OCTET STRING and an INTEGER of less than 128 octets each. */
  private static final int TWO_HEADERS = 4;

  /**
   * Reads what a node serves.
   *
   * @param hex its octets
   * @throws TrialException if it is none
   */
  static PublishedCrl of(String hex) {
    try {
      byte[] der = HexFormat.of().parseHex(hex);
      return new PublishedCrl(
          hex,
          (X509CRL)
              CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(der)));
    } catch (GeneralSecurityException e) {
      throw new TrialException("what a node serves is no CRL", e);
    }
  }

  /**
   * Waits until the CRL that node 0 serves has all of these, and returns it.
   *
   * @throws TrialException if it has not in time
   */
  static PublishedCrl await(NodeAddresses doors, Set<String> serials, Duration limit) {
    AtomicReference<String> hex = new AtomicReference<>("");
    Wait.require(
        limit,
        LOOK,
        "revocations are not on the CRL",
        () -> {
          hex.set(doors.crl(0));
          return !hex.get().isEmpty() && of(hex.get()).has(serials);
        });
    return of(hex.get());
  }

  /** Returns its octets. */
  byte[] der() {
    return HexFormat.of().parseHex(hex);
  }

  /** Returns whether all of these are on it. */
  boolean has(Set<String> serials) {
    return serials.stream()
        .allMatch(serial -> crl.getRevokedCertificate(new BigInteger(serial, 16)) != null);
  }

  /** Returns its cRLNumber (RFC 5280 5.2.3). */
  BigInteger number() {
    byte[] value = crl.getExtensionValue(CRL_NUMBER);
    return new BigInteger(Arrays.copyOfRange(value, TWO_HEADERS, value.length));
  }
}
