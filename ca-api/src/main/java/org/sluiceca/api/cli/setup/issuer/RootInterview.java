package org.sluiceca.api.cli.setup.issuer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.ceremony.option.KeyAlgorithmOption;
import org.sluiceca.api.cli.ceremony.state.TokenState;
import org.sluiceca.api.cli.setup.answer.Answers;
import org.sluiceca.api.cli.setup.answer.Dialogue;
import org.sluiceca.api.cli.setup.answer.Sections;
import org.sluiceca.api.cli.setup.answer.SetupException;
import org.sluiceca.api.cli.setup.question.Question;
import org.sluiceca.api.issuer.service.IssuerChain;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.OctetString;

/** The section about the CA that signs the issuing CA's certificate. */
public final class RootInterview {

  private static final Set<Question> OF_ROOT_TOKEN =
      EnumSet.of(
          Question.ROOT_MODULE,
          Question.ROOT_TOKEN_LABEL,
          Question.ROOT_PIN,
          Question.ROOT_KEY_ALGORITHM);

  private static final Set<Question> OF_CERTIFICATE =
      EnumSet.of(Question.CERTIFICATE, Question.ROOT);

  private final Answers answers;
  private final Dialogue dialogue;
  private final IssuerFiles files;
  private final Sections sections;

  /** Asks and checks in these sections. */
  public RootInterview(Answers answers, Dialogue dialogue, Sections sections, IssuerFiles files) {
    this.answers = answers;
    this.dialogue = dialogue;
    this.files = files;
    this.sections = sections;
  }

  /** The root's token, and its key, if that is there. */
  private record RootToken(TokenAccess access, Optional<OctetString> key) {}

  /** Where the issuing CA's certificate comes from, and the certificate, if it is there. */
  public record Certified(RootState state, Optional<CertificateDer> certificate) {}

  /**
   * Decides where the issuing CA's certificate comes from.
   *
   * @param keys what the issuing token holds
   * @throws SetupException if a check fails and cannot be asked again
   */
  public Certified root(KnownIssuers known, TokenState keys) {
    Optional<OctetString> key = keys.key(KnownIssuers.ISSUING.value());
    sections.run(
        EnumSet.of(Question.KEY_ALGORITHM),
        () -> {
          requireAlgorithm(Question.KEY_ALGORITHM, key);
          return key;
        });
    if (known.issuing().isPresent()) {
      return sections.run(
          EnumSet.of(Question.SUBJECT), () -> installed(known.issuing().get().certificate()));
    }
    return sections.run(
        EnumSet.of(Question.SUBJECT, Question.KEY_ALGORITHM, Question.ROOT_CA),
        () -> {
          boolean isOwn =
              !answers.isKnown(Question.CERTIFICATE)
                  && answers.require(Question.ROOT_CA).equals("own");
          Certified root =
              isOwn
                  ? certified(signed(known, key), RootState.SIGNED, RootState.OWN)
                  : certified(brought(key), RootState.BROUGHT, RootState.AWAITED);
          if (root.certificate().isEmpty()) {
            String _ = answers.require(Question.SUBJECT);
            String _ = algorithm(Question.KEY_ALGORITHM, key);
          }
          return root;
        });
  }

  /** Asks for it, and proposes what a key is that is there. */
  private String algorithm(Question question, Optional<OctetString> key) {
    String usual = key.map(RootInterview::algorithm).or(question::usual).orElseThrow();
    String answer = answers.require(question, usual);
    requireAlgorithm(question, key);
    return answer;
  }

  private static String algorithm(OctetString key) {
    try {
      return KeyAlgorithmOption.nameOf(key);
    } catch (DerException e) {
      throw new IllegalStateException("a public key in the token is bad: " + e.fault(), e);
    }
  }

  /** Setup makes no second key of a name, so another algorithm would not count. */
  private void requireAlgorithm(Question question, Optional<OctetString> key) {
    if (key.isPresent()
        && answers.isKnown(question)
        && !answers.require(question).equals(algorithm(key.get()))) {
      throw Sections.failure(
          "%s is %s, and the key that is there is %s: leave the option out, or name a token without"
              + " this key",
          question.option(), answers.require(question), algorithm(key.get()));
    }
  }

  private static Certified certified(
      Optional<CertificateDer> certificate, RootState there, RootState missing) {
    return new Certified(certificate.isPresent() ? there : missing, certificate);
  }

  private Certified installed(CertificateDer certificate) {
    Subjects.require(
        answers,
        certificate,
        "the installed certificate",
        "leave " + Question.SUBJECT.option() + " out, or name another database");
    return new Certified(RootState.INSTALLED, Optional.of(certificate));
  }

  /**
   * Returns the certificate that a run has left that was stopped: another one would be issued for
   * the same key otherwise.
   */
  private Optional<CertificateDer> signed(KnownIssuers known, Optional<OctetString> key) {
    if (!Files.exists(files.certificate())) {
      return Optional.empty();
    }
    Optional<CertificateDer> root = known.root().map(RegisteredIssuer::certificate);
    List<CertificateDer> chain = chain(files.certificate(), files.root());
    if (key.isEmpty()
        || !publicKey(chain).equals(key.get())
        || !root.equals(Optional.of(chain.getLast()))) {
      throw Sections.failure(
          "%s is there, and is not a certificate of this root for the key in the token: move it"
              + " away, then run setup again",
          files.certificate());
    }
    Subjects.require(
        answers,
        chain.getFirst(),
        files.certificate().toString(),
        "give that one, or move the file away to have another certificate signed");
    return Optional.of(chain.getFirst());
  }

  /** Returns the other CA's certificate, if it was brought. */
  private Optional<CertificateDer> brought(Optional<OctetString> key) {
    boolean isAsked = dialogue.isInteractive() && key.isPresent() && Files.exists(files.csr());
    if (!answers.isKnown(Question.CERTIFICATE) && !isAsked) {
      return Optional.empty();
    }
    if (!answers.isKnown(Question.CERTIFICATE)
        && !answers.confirms("Is the other CA's certificate here?")) {
      return Optional.empty();
    }
    CertificateDer certificate =
        sections.run(
            OF_CERTIFICATE,
            () -> {
              List<CertificateDer> chain =
                  chain(
                      Path.of(answers.require(Question.CERTIFICATE)),
                      Path.of(answers.require(Question.ROOT)));
              if (key.isEmpty()) {
                throw Sections.failure(
                    "the token has no key %s: name the token in which the CSR was made",
                    KnownIssuers.ISSUING);
              }
              if (!publicKey(chain).equals(key.get())) {
                throw Sections.failure(
                    "%s is not for the key in the token: have the CA sign %s",
                    answers.require(Question.CERTIFICATE), files.csr());
              }
              return chain.getFirst();
            });
    Subjects.require(
        answers,
        certificate,
        answers.require(Question.CERTIFICATE),
        "have the CA sign for that subject, or give the certificate's");
    return Optional.of(certificate);
  }

  /** The rules of the step that installs it. */
  private static OctetString publicKey(List<CertificateDer> chain) {
    return IssuerChain.of(chain, new BouncyCastleVerifier(), Instant.now()).publicKey();
  }

  private static List<CertificateDer> chain(Path certificate, Path above) {
    try {
      List<CertificateDer> chain = new ArrayList<>(CeremonyFiles.readCertificates(certificate));
      chain.addAll(CeremonyFiles.readCertificates(above));
      return chain;
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot read the certificates in " + certificate + " and " + above + ": " + e, e);
    } catch (DerException e) {
      throw new IllegalStateException(
          "the certificates in " + certificate + " and " + above + " are not PEM: " + e.fault(), e);
    }
  }

  /**
   * Returns the root's token, if the root signs in this run. Blocks as long as the token takes.
   *
   * @param issuing the issuing key's token, which must be another
   * @throws SetupException if a check fails and cannot be asked again
   */
  public Optional<TokenAccess> token(KnownIssuers known, RootState root, TokenAccess issuing) {
    boolean isOwn = root == RootState.OWN || root == RootState.SIGNED;
    // Later the root's token is in its safe: its CRL is made again in a ceremony.
    boolean lacksCrl =
        root == RootState.INSTALLED
            && known.root().isPresent()
            && !known.hasRootCrl()
            && answers.isKnown(Question.ROOT_TOKEN_LABEL);
    if (!isOwn && !lacksCrl) {
      return Optional.empty();
    }
    RootToken token =
        sections.run(
            OF_ROOT_TOKEN,
            () -> {
              TokenAccess opened =
                  new TokenAccess(
                      Path.of(answers.require(Question.ROOT_MODULE, issuing.module().toString())),
                      answers.require(Question.ROOT_TOKEN_LABEL),
                      answers.secret(Question.ROOT_PIN, null));
              Optional<OctetString> key = requireFit(known, issuing, opened);
              requireAlgorithm(Question.ROOT_KEY_ALGORITHM, key);
              return new RootToken(opened, key);
            });
    if (root == RootState.OWN && known.root().isEmpty()) {
      String _ = answers.require(Question.ROOT_SUBJECT);
      String _ =
          sections.run(
              EnumSet.of(Question.ROOT_KEY_ALGORITHM),
              () -> algorithm(Question.ROOT_KEY_ALGORITHM, token.key()));
    }
    String _ = answers.require(Question.ROOT_CRL_DAYS);
    return Optional.of(token.access());
  }

  private static Optional<OctetString> requireFit(
      KnownIssuers known, TokenAccess issuing, TokenAccess root) {
    // Before its PIN is tried, which may be that of the token that is meant.
    if (root.isSame(issuing)) {
      throw Sections.failure(
          "the root's key must not be in the token of the issuing key, which every node opens: name"
              + " another token");
    }
    Optional<OctetString> key =
        root.keys(Set.of(KnownIssuers.ROOT.value())).key(KnownIssuers.ROOT.value());
    known
        .root()
        .filter(row -> !key.equals(Optional.of(row.subjectPublicKeyInfo())))
        .ifPresent(
            row -> {
              throw Sections.failure(
                  "token \"%s\" does not hold the key of the database's root, which was made in"
                      + " token \"%s\": name that token, or another database",
                  root.label(), row.key().tokenLabel());
            });
    return key;
  }
}
