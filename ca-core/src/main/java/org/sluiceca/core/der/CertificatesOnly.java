package org.sluiceca.core.der;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.sluiceca.core.x509.CertificateDer;

/**
 * Writes certificates as the SignedData without signers that is called certs-only (RFC 5652 5.1,
 * RFC 8551 3.2.2), in which Windows and Java keep chains: a PKCS#7 file. Thread-safe.
 */
public final class CertificatesOnly {

  private static final String SIGNED_DATA = "1.2.840.113549.1.7.2";
  private static final String DATA = "1.2.840.113549.1.7.1";

  private static final int SET = 0x31;

  /** [0], constructed: of ContentInfo's content and of SignedData's certificates. */
  private static final int CONTEXT_0 = 0xA0;

  /** Room for a chain of usual certificates. */
  private static final int OCTETS_EXPECTED = 4_096;

  /** X.690 11.6: the elements of a set are in the order of their octets. */
  private static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  private CertificatesOnly() {}

  /** Writes the certificates, which a reader orders itself: they are a set. */
  public static byte[] write(List<CertificateDer> certificates) {
    DerWriter out = new DerWriter(OCTETS_EXPECTED);
    // signerInfos
    out.header(SET, out.written());
    int end = out.written();
    certificates.stream()
        .map(CertificateDer::encoded)
        .sorted(ORDER.reversed())
        .forEach(out::octets);
    out.header(CONTEXT_0, end);
    int content = out.written();
    ObjectIdentifiers.write(out, DATA);
    out.header(DerWriter.SEQUENCE, content);
    // digestAlgorithms
    out.header(SET, out.written());
    out.octet(1);
    out.octet(1);
    out.octet(DerWriter.INTEGER);
    out.header(DerWriter.SEQUENCE, 0);
    out.header(CONTEXT_0, 0);
    ObjectIdentifiers.write(out, SIGNED_DATA);
    out.header(DerWriter.SEQUENCE, 0);
    return out.toByteArray();
  }
}
