package org.sluiceca.api.cli.setup.issuer;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.ceremony.option.SubjectOption;
import org.sluiceca.api.cli.ceremony.state.TokenState;
import org.sluiceca.api.cli.setup.answer.Answers;
import org.sluiceca.api.cli.setup.answer.Sections;
import org.sluiceca.api.cli.setup.question.Question;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.CertificationRequest;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;

/** The subject of the issuing CA, in its CSR and its certificate. */
public final class Subjects {

  private Subjects() {}

  /** Returns it for people. */
  public static String text(CertificateDer certificate) {
    return read(subject(certificate))
        .map(DistinguishedName::toString)
        .orElse("(with attributes that this CA does not know)");
  }

  /**
   * Requires that a certificate is for the subject that was answered, if one was.
   *
   * @param what where the certificate is
   * @param remedy what to do otherwise
   * @throws IllegalStateException if it is for another
   */
  static void require(Answers answers, CertificateDer certificate, String what, String remedy) {
    if (!answers.isKnown(Question.SUBJECT)) {
      return;
    }
    DistinguishedName wanted = wanted(answers);
    if (!read(subject(certificate)).equals(Optional.of(wanted))) {
      throw Sections.failure(
          "%s has the subject %s, not %s: %s", what, text(certificate), wanted, remedy);
    }
  }

  /** Returns whether a CSR for the key in the token and the subject that was answered is there. */
  public static boolean isRequested(Answers answers, IssuerFiles files, TokenState keys) {
    if (!Files.exists(files.csr())) {
      return false;
    }
    try {
      CertificationRequest request = CsrReader.read(CeremonyFiles.readCsr(files.csr()));
      return keys.key(KnownIssuers.ISSUING.value())
              .equals(Optional.of(OctetString.copyOf(request.subjectPublicKeyInfo().encoded())))
          && request.subject().equals(wanted(answers));
    } catch (IOException | DerException e) {
      return false;
    }
  }

  private static DistinguishedName wanted(Answers answers) {
    return new SubjectOption().convert(answers.require(Question.SUBJECT));
  }

  private static NameDer subject(CertificateDer certificate) {
    try {
      return CertificateReader.read(certificate).fields().subject();
    } catch (DerException e) {
      throw new IllegalStateException("a certificate does not parse: " + e.fault(), e);
    }
  }

  private static Optional<DistinguishedName> read(NameDer name) {
    try {
      return Optional.of(NameCodec.read(name));
    } catch (DerException e) {
      return Optional.empty();
    }
  }
}
