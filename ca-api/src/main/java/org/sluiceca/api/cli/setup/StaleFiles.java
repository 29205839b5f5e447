package org.sluiceca.api.cli.setup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.ceremony.files.PublishedCrl;
import org.sluiceca.api.cli.setup.answer.SetupException;
import org.sluiceca.api.cli.setup.issuer.KnownIssuers;
import org.sluiceca.api.cli.setup.issuer.RootState;
import org.sluiceca.api.cli.setup.issuer.Subjects;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.OctetString;

/**
 * Files for clients and auditors that contradict database and token: left by a rehearsal, another
 * database or another root. Setup neither hands them out nor writes over them. For one thread.
 */
final class StaleFiles {

  private final Places places;
  private final List<String> faults = new ArrayList<>();

  private StaleFiles(Places places) {
    this.places = places;
  }

  /**
   * Compares those that are there.
   *
   * @throws SetupException with one line that names each, what is expected, and what to do
   */
  static void refuse(Places places, Findings findings) {
    KnownIssuers issuers = findings.present().issuers();
    StaleFiles files = new StaleFiles(places);
    files.auditKey(findings);
    files.chain(issuers.issuing());
    boolean isBrought =
        findings.root() == RootState.BROUGHT || findings.root() == RootState.AWAITED;
    // The root that an operator brings may be in this very file.
    if (!isBrought) {
      files.root(
          issuers
              .issuing()
              .map(issuing -> issuing.certificates().getLast())
              .or(() -> issuers.root().map(RegisteredIssuer::certificate)));
    }
    // Of another CA's root setup writes no CRL.
    if (issuers.root().isPresent() || findings.root() == RootState.OWN) {
      files.rootCrl(issuers.root());
    }
    files.end();
  }

  /** Compares the root's file with the issuer that was installed. */
  static void refuseRoot(Places places, RegisteredIssuer issuing) {
    StaleFiles files = new StaleFiles(places);
    files.root(Optional.of(issuing.certificates().getLast()));
    files.end();
  }

  private void end() {
    if (!faults.isEmpty()) {
      throw new SetupException(
          SetupException.Kind.FAILED,
          String.format(
              Locale.ROOT,
              "files in %s contradict the database or the token: %s. Setup uses and changes none of"
                  + " them: move them away, or name the database and the token that they belong"
                  + " to, then run setup again",
              places.out(),
              String.join("; ", faults)));
    }
  }

  private interface Comparison {

    /** Returns what is wrong with the file; empty if nothing is. */
    String fault() throws IOException, DerException;
  }

  private void compare(Path file, Comparison comparison) {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    String fault;
    try {
      fault = comparison.fault();
    } catch (IOException e) {
      fault = "cannot be read (" + e + ")";
    } catch (DerException e) {
      fault = "is not what setup writes (" + e.fault() + ")";
    }
    if (!fault.isEmpty()) {
      faults.add(file.getFileName() + " " + fault);
    }
  }

  /** The registered key, or the one with which a run was stopped. */
  private void auditKey(Findings findings) {
    Optional<OctetString> expected =
        findings.present().auditKey().or(() -> findings.keys().key(Interview.AUDIT_KEY));
    Path file = places.auditKey();
    compare(
        file,
        () -> {
          OctetString there = OctetString.copyOf(Pem.read(Pem.PUBLIC_KEY, Files.readString(file)));
          if (expected.equals(Optional.of(there))) {
            return "";
          }
          return "has the public key "
              + digest(there)
              + expected
                  .map(key -> ", and the audit trail's is " + digest(key))
                  .orElse(", and neither database nor token has a key of the audit trail");
        });
  }

  /** The installed issuer's; before that no file has a chain. */
  private void chain(Optional<RegisteredIssuer> issuing) {
    Path file = places.issuer().chain();
    compare(
        file,
        () -> {
          List<CertificateDer> there = CeremonyFiles.readCertificates(file);
          if (issuing.isEmpty()) {
            return "is the chain of "
                + text(there.getFirst())
                + ", and the database has no issuing CA";
          }
          List<CertificateDer> expected = issuing.get().certificates();
          return there.equals(expected)
              ? ""
              : "is the chain of "
                  + text(there.getFirst())
                  + ", and that of the installed certificate begins with "
                  + text(expected.getFirst());
        });
  }

  private void root(Optional<CertificateDer> expected) {
    Path file = places.issuer().root();
    compare(
        file,
        () -> {
          CertificateDer there = CeremonyFiles.readCertificates(file).getLast();
          if (expected.equals(Optional.of(there))) {
            return "";
          }
          return "is "
              + text(there)
              + expected
                  .map(root -> ", and the root is " + text(root))
                  .orElse(", and the database has no root");
        });
  }

  private void rootCrl(Optional<RegisteredIssuer> root) {
    Path file = places.issuer().rootCrl();
    compare(
        file,
        () -> {
          if (root.isEmpty()) {
            return "is there, and the database has no root that could have signed it";
          }
          try (InputStream der = Files.newInputStream(file)) {
            PublishedCrl _ = PublishedCrl.of(der, List.of(root.get()));
            return "";
          } catch (IllegalArgumentException e) {
            return "is no CRL of the root "
                + text(root.get().certificate())
                + " ("
                + e.getMessage()
                + ")";
          }
        });
  }

  private static String text(CertificateDer certificate) {
    return Subjects.text(certificate)
        + ", SHA-256 "
        + digest(OctetString.copyOf(certificate.encoded()));
  }

  /** Enough of it to distinguish two. */
  private static String digest(OctetString octets) {
    return Digest.sha256(octets.octets()).toString().substring(0, 16);
  }
}
