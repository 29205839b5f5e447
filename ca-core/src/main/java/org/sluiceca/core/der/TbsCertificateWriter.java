package org.sluiceca.core.der;

import java.util.List;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;
import org.sluiceca.core.x509.Validity;

/** Writes TBSCertificates and assembles certificates (RFC 5280 4.1). Thread-safe. */
public final class TbsCertificateWriter {

  /** RFC 5280 4.1.2.1: [0] EXPLICIT INTEGER 2. */
  private static final byte[] VERSION_3 = {(byte) 0xA0, 0x03, 0x02, 0x01, 0x02};

  /** [3] EXPLICIT. */
  private static final int EXTENSIONS = 0xA3;

  /** Tags, lengths and times of a TBSCertificate, and the names of its extensions, with room. */
  private static final int OCTETS_EXPECTED = 256;

  /** What stands around the three parts of a certificate. */
  private static final int SIGNED_OCTETS_EXPECTED = 96;

  private TbsCertificateWriter() {}

  /** Writes the fields; equal fields give equal bytes. Names and key are taken over as they are. */
  public static TbsCertificateDer write(TbsCertificate fields) {
    int expected = OCTETS_EXPECTED + fields.issuer().length() + fields.subject().length();
    for (Extension extension : fields.extensions()) {
      expected += extension.length();
    }
    DerWriter out = new DerWriter(expected + fields.subjectPublicKeyInfo().length());
    writeExtensions(out, fields.extensions());
    out.octets(fields.subjectPublicKeyInfo());
    out.octets(fields.subject());
    writeValidity(out, fields.validity());
    out.octets(fields.issuer());
    AlgorithmIdentifiers.write(out, fields.signatureAlgorithm());
    writeSerialNumber(out, fields.serialNumber().octets());
    out.octets(VERSION_3);
    out.header(DerWriter.SEQUENCE, 0);
    return TbsCertificateDer.of(out.toByteArray());
  }

  /**
   * Assembles the certificate from the signed bytes, which are taken over unchanged, and the
   * signature.
   *
   * @param signature the signatureValue's octets (RFC 5280 4.1.1.3)
   */
  public static CertificateDer assemble(
      TbsCertificateDer tbs, SignatureAlgorithm algorithm, OctetString signature) {
    DerWriter out = new DerWriter(SIGNED_OCTETS_EXPECTED + tbs.length() + signature.length());
    out.octets(signature);
    out.octet(0); // X.690 8.6.2.2: no unused bits.
    out.header(DerWriter.BIT_STRING, 0);
    AlgorithmIdentifiers.write(out, algorithm);
    out.octets(tbs);
    out.header(DerWriter.SEQUENCE, 0);
    return CertificateDer.of(out.toByteArray());
  }

  private static void writeExtensions(DerWriter out, List<Extension> extensions) {
    for (int i = extensions.size() - 1; i >= 0; i--) {
      Extension extension = extensions.get(i);
      // RFC 5280 4.2: MUST NOT include more than one instance of a particular extension.
      for (int before = 0; before < i; before++) {
        if (extensions.get(before).oid().equals(extension.oid())) {
          throw new IllegalArgumentException("extension " + extension.oid() + " twice");
        }
      }
      int end = out.written();
      out.octets(extension.value());
      out.header(DerWriter.OCTET_STRING, end);
      if (extension.isCritical()) {
        out.booleanTrue();
      }
      ObjectIdentifiers.write(out, extension.oid());
      out.header(DerWriter.SEQUENCE, end);
    }
    out.header(DerWriter.SEQUENCE, 0);
    out.header(EXTENSIONS, 0);
  }

  private static void writeValidity(DerWriter out, Validity validity) {
    int end = out.written();
    out.octets(Times.encode(validity.notAfter()));
    out.octets(Times.encode(validity.notBefore()));
    out.header(DerWriter.SEQUENCE, end);
  }

  /** RFC 5280 4.1.2.2: positive. X.690 8.3.2: in the fewest octets. */
  private static void writeSerialNumber(DerWriter out, byte[] magnitude) {
    int end = out.written();
    out.octets(magnitude);
    int zeros = 0;
    while (zeros < magnitude.length && magnitude[zeros] == 0) {
      zeros++;
    }
    out.drop(zeros);
    if (zeros == magnitude.length || magnitude[zeros] < 0) {
      out.octet(0);
    }
    out.header(DerWriter.INTEGER, end);
  }
}
