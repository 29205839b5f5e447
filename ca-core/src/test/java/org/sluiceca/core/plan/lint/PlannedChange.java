package org.sluiceca.core.plan.lint;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.RawTree;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.TbsCertificateDer;

/** What one lint sees, changed where another lint or the other reader would have objected first. */
final class PlannedChange {

  private TbsCertificate tbs;
  private RawTree octets;
  private CertificateProfile profile;
  private IssuerSide issuer;

  /** What is planned for {@code web-1}. */
  PlannedChange(CertificateProfile profile, Issuer issuer) {
    this.profile = profile;
    this.issuer =
        new IssuerSide(
            issuer.subject(),
            issuer.subjectPublicKeyInfo(),
            issuer.keyIdentifier(),
            issuer.validity(),
            issuer.constraints());
    try {
      TbsCertificateDer planned =
          new AcceptLine(profile, issuer)
              .plan(CsrFixture.host("web-1").signedBy(SoftwareKey.named("ec-p256")))
              .tbsCertificate();
      this.tbs = CertificateReader.read(planned);
      this.octets = RawTree.of(planned.encoded());
    } catch (RejectedException | DerException e) {
      throw new AssertionError(e);
    }
  }

  /** Changes the certificate, for both readers. Before {@link #raw}, which it undoes. */
  PlannedChange fields(UnaryOperator<TbsChange> change) {
    tbs = change.apply(new TbsChange(tbs)).done();
    octets = RawTree.of(TbsCertificateWriter.write(tbs).encoded());
    return this;
  }

  /** Changes the octets that the lints' own reader sees. */
  PlannedChange raw(Consumer<RawTree> change) {
    change.accept(octets);
    return this;
  }

  /** Judges by another profile than it was planned by. */
  PlannedChange profile(CertificateProfile other) {
    profile = other;
    return this;
  }

  PlannedChange issuer(UnaryOperator<IssuerSide> change) {
    issuer = change.apply(issuer);
    return this;
  }

  PlannedCertificate done() throws MalformedException {
    RawCertificate raw = RawCertificate.of(TbsCertificateDer.of(octets.encoded()));
    return new PlannedCertificate(tbs, raw, profile, issuer, Fixtures.NOW);
  }
}
