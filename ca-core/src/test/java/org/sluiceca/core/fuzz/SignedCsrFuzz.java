package org.sluiceca.core.fuzz;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.plan.IssuancePlan;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.RawCsr;
import org.sluiceca.core.testkit.RawDer;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.OctetString;

/**
 * A request that is sound but for one part, and signed: so the fuzzer comes past the proof of
 * possession. The first octet says which part the others replace. What is planned must read back as
 * it was written, and as the JDK reads it.
 */
public final class SignedCsrFuzz {

  private static final AcceptLine LINE =
      new AcceptLine(Fixtures.tlsServer(), Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")));

  private static final OctetString NO_SIGNATURE = OctetString.copyOf(new byte[64]);

  private SignedCsrFuzz() {}

  /** Jazzer's entry. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    byte[] part = Arrays.copyOfRange(data, 1, data.length);
    RawCsr request =
        switch (data[0] & 7) {
          case 0 -> RawCsr.sound().names(part);
          case 1 -> RawCsr.sound().subject(part);
          case 2 -> RawCsr.sound().commonName(part);
          case 3 -> RawCsr.sound().extensions(part);
          case 4 -> RawCsr.sound().attributes(part);
          case 5 -> RawCsr.sound().subject().names(RawDer.tlv(0x82, part));
          case 6 -> RawCsr.sound().commonName(RawDer.tlv(0x0C, part)).attributes();
          default -> RawCsr.sound().subject().names(RawDer.tlv(0x87, part));
        };
    IssuancePlan plan;
    try {
      plan = LINE.plan(CsrDer.of(request.bytes()));
    } catch (RejectedException e) {
      return;
    }
    try {
      TbsCertificate fields = CertificateReader.read(plan.tbsCertificate());
      Promise.require(
          TbsCertificateWriter.write(fields).equals(plan.tbsCertificate()),
          "a plan that is not its own re-encoding");
      int names = 0;
      for (Extension extension : fields.extensions()) {
        if (extension.oid().equals("2.5.29.17")) {
          names = CsrReader.subjectAltNames(extension).size();
        }
      }
      CertificateDer certificate =
          TbsCertificateWriter.assemble(
              plan.tbsCertificate(), plan.signatureAlgorithm(), NO_SIGNATURE);
      Promise.require(
          names == jdkNames(certificate), "the JDK reads other names than were planned");
    } catch (DerException | CertificateException e) {
      throw new AssertionError("planned, but not readable", e);
    }
  }

  private static int jdkNames(CertificateDer certificate) throws CertificateException {
    X509Certificate read =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(certificate.encoded()));
    Collection<List<?>> names = read.getSubjectAlternativeNames();
    return names == null ? 0 : names.size();
  }
}
