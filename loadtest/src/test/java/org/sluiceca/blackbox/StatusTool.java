package org.sluiceca.blackbox;

import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertStore;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.blackbox.StatusQuestion.Clock;

/** Foreign programs that find out a certificate's status, three by OCSP and three by CRLs. */
enum StatusTool {
  OPENSSL_OCSP,
  GNUTLS_OCSPTOOL,
  JDK_OCSP,
  OPENSSL_CRL,
  OPENSSL_VERIFY,
  JDK_CRL;

  /** What a program makes of what it is given. */
  enum Verdict {
    GOOD,
    REVOKED,
    UNKNOWN,
    EXPIRED,
    /** It does not believe what it is given: nothing was found out. */
    REFUSED
  }

  static final List<StatusTool> BY_OCSP = List.of(OPENSSL_OCSP, GNUTLS_OCSPTOOL, JDK_OCSP);
  static final List<StatusTool> BY_CRL = List.of(OPENSSL_CRL, OPENSSL_VERIFY, JDK_CRL);

  /** What openssl ocsp says of an answer that has ended, or has not begun. */
  static final String TIMES_INVALID = "WARNING: Status times invalid.";

  private static final Pattern GNUTLS =
      Pattern.compile(
          "Serial Number: ([0-9a-f]+)\\s+Certificate Status: (\\w+)\\s.*?Next Update: ([^\\n]+)",
          Pattern.DOTALL);

  private static final DateTimeFormatter GNUTLS_TIME =
      DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss 'UTC' uuuu", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private static final Pattern LISTED = Pattern.compile("Serial Number: ([0-9A-F]+)");

  /** Whether it validates the path, dates included, and not the status alone. */
  boolean isPathValidator() {
    return this == JDK_OCSP || this == OPENSSL_VERIFY || this == JDK_CRL;
  }

  Verdict ask(StatusQuestion question) {
    return switch (this) {
      case OPENSSL_OCSP -> opensslOcsp(question);
      case GNUTLS_OCSPTOOL -> ocsptool(question);
      case JDK_OCSP -> jdkOcsp(question);
      case OPENSSL_CRL -> opensslCrl(question);
      case OPENSSL_VERIFY -> opensslVerify(question);
      case JDK_CRL -> jdkCrl(question);
    };
  }

  /**
   * Without the five minutes that it lets clocks differ by default. It tells the status of what it
   * has not verified, too.
   */
  private static Verdict opensslOcsp(StatusQuestion question) {
    Program.Ended ended = opensslOcspSaid(question);
    String said = question.member().pem() + ": ";
    int at = ended.text().indexOf(said);
    if (!ended.errors().contains("Response verify OK") || at < 0) {
      return Verdict.REFUSED;
    }
    // TIMES_INVALID and "ERROR: No Status found." stand in the word's place.
    return word(ended.text().substring(at + said.length()).lines().findFirst().orElse(""));
  }

  static Program.Ended opensslOcspSaid(StatusQuestion question) {
    Path issuer = question.member().issuer().pem();
    return Program.of(
            "openssl",
            "ocsp",
            "-sha256",
            "-no_nonce",
            "-validity_period",
            "0",
            "-issuer",
            issuer,
            "-cert",
            question.member().pem(),
            "-CAfile",
            question.member().issuer().root(),
            "-verify_other",
            issuer,
            "-url",
            question.responder())
        .run();
  }

  /**
   * It verifies the signature alone: neither does it compare the serial number with the one that it
   * asked about, nor nextUpdate with the clock, but it prints both.
   */
  private static Verdict ocsptool(StatusQuestion question) {
    Program.Ended ended = ocsptoolSaid(question);
    Matcher told = GNUTLS.matcher(ended.text());
    if (!ocsptoolVerified(ended)
        || !told.find()
        || !new BigInteger(told.group(1), 16).equals(question.certificate().getSerialNumber())
        || Instant.from(GNUTLS_TIME.parse(told.group(3).strip())).isBefore(Instant.now())) {
      return Verdict.REFUSED;
    }
    return word(told.group(2));
  }

  static Program.Ended ocsptoolSaid(StatusQuestion question) {
    Path issuer = question.member().issuer().pem();
    return Program.of(
            "ocsptool",
            "--ask=" + question.responder(),
            "--load-issuer=" + issuer,
            "--load-cert=" + question.member().pem(),
            "--load-trust=" + issuer)
        .run();
  }

  static boolean ocsptoolVerified(Program.Ended ended) {
    return ended.status() == 0
        && (ended.text() + ended.errors()).contains("Verifying OCSP Response: Success.");
  }

  private static Verdict jdkOcsp(StatusQuestion question) {
    return jdkOcsp(question, checker -> checker.setOcspResponder(question.responder()));
  }

  /**
   * What the JDK makes of a response that it was given with the certificate: of one that it fetches
   * itself it asks the real clock whether it is still good.
   */
  static Verdict jdkGiven(byte[] response, StatusQuestion question) {
    return jdkOcsp(
        question, checker -> checker.setOcspResponses(Map.of(question.certificate(), response)));
  }

  private static Verdict jdkOcsp(StatusQuestion question, Consumer<PKIXRevocationChecker> source) {
    try {
      CertPathValidator validator = CertPathValidator.getInstance("PKIX");
      PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
      source.accept(checker);
      checker.setOptions(
          Set.of(
              PKIXRevocationChecker.Option.ONLY_END_ENTITY,
              PKIXRevocationChecker.Option.NO_FALLBACK));
      PKIXParameters parameters = parameters(question);
      parameters.addCertPathChecker(checker);
      return jdk(question, validator, parameters);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** The root's CRL is asked too, of the issuer. */
  private static Verdict jdkCrl(StatusQuestion question) {
    try {
      PKIXParameters parameters = parameters(question);
      parameters.setRevocationEnabled(true);
      parameters.addCertStore(
          CertStore.getInstance("Collection", new CollectionCertStoreParameters(question.crls())));
      return jdk(question, CertPathValidator.getInstance("PKIX"), parameters);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static PKIXParameters parameters(StatusQuestion question)
      throws GeneralSecurityException {
    PKIXParameters parameters =
        new PKIXParameters(
            Set.of(
                new TrustAnchor(
                    Answer.certificate(Csr.read(question.member().issuer().root())), null)));
    parameters.setDate(Date.from(question.time()));
    return parameters;
  }

  private static Verdict jdk(
      StatusQuestion question, CertPathValidator validator, PKIXParameters parameters)
      throws GeneralSecurityException {
    try {
      var ignored =
          validator.validate(
              CertificateFactory.getInstance("X.509")
                  .generateCertPath(
                      List.of(question.certificate(), question.member().issuer().certificate())),
              parameters);
      return Verdict.GOOD;
    } catch (CertPathValidatorException e) {
      if (e.getReason() == BasicReason.REVOKED) {
        return Verdict.REVOKED;
      }
      if (e.getReason() == BasicReason.EXPIRED) {
        return Verdict.EXPIRED;
      }
      // It has no reason of its own for that.
      return String.valueOf(e.getMessage()).contains("revocation status is unknown")
          ? Verdict.UNKNOWN
          : Verdict.REFUSED;
    }
  }

  /** It ends with 0 whatever it thinks of the signature, and compares no times. */
  private static Verdict opensslCrl(StatusQuestion question) {
    Program.Ended ended =
        Program.of(
                "openssl",
                "crl",
                "-noout",
                "-text",
                "-verify",
                "-CAfile",
                question.member().issuer().pem(),
                "-in",
                Csr.write(question.member().folder(), RelyingParty.pem(question.crls().getFirst())))
            .run();
    if (!ended.errors().contains("verify OK")) {
      return Verdict.REFUSED;
    }
    return LISTED
            .matcher(ended.text())
            .results()
            .anyMatch(
                entry ->
                    new BigInteger(entry.group(1), 16)
                        .equals(question.certificate().getSerialNumber()))
        ? Verdict.REVOKED
        : Verdict.GOOD;
  }

  private static Verdict opensslVerify(StatusQuestion question) {
    Clock clock = question.clock();
    List<String> options =
        switch (clock) {
          case NOW -> List.of("-crl_check_all");
          // Not -attime: the CRL is of later.
          case BEFORE_ITS_END -> List.of("-crl_check_all", "-no_check_time");
          case AFTER_NEXT_UPDATE ->
              List.of("-crl_check_all", "-attime", Long.toString(question.time().getEpochSecond()));
        };
    Program.Ended ended =
        question
            .member()
            .issuer()
            .party()
            .openssl(options, question.certificate(), question.crls());
    if (ended.status() == 0) {
      return Verdict.GOOD;
    }
    if (ended.errors().contains("certificate revoked")) {
      return Verdict.REVOKED;
    }
    return ended.errors().contains("certificate has expired") ? Verdict.EXPIRED : Verdict.REFUSED;
  }

  private static Verdict word(String word) {
    return switch (word) {
      case "good" -> Verdict.GOOD;
      case "revoked" -> Verdict.REVOKED;
      case "unknown" -> Verdict.UNKNOWN;
      default -> Verdict.REFUSED;
    };
  }
}
