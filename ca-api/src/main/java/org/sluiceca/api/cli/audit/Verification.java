package org.sluiceca.api.cli.audit;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.audit.IssuedCertificate;
import org.sluiceca.api.audit.store.AuditReading;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.SignedCheckpoint;
import org.sluiceca.core.audit.verify.ChainVerifier;
import org.sluiceca.core.audit.verify.CheckpointVerifier;
import org.sluiceca.core.audit.verify.Finding;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Reads the whole trail once and hands it to the verifiers of the core; certificates that rows name
 * are compared with the ledger. For one thread.
 */
final class Verification {

  /** What there was. */
  record Summary(long rows, long chains, long checkpoints, long lastSigned, long certificates) {}

  private final Consumer<Finding> findings;
  private final CheckpointVerifier checkpoints;
  private final Function<List<SerialNumber>, Map<SerialNumber, CertificateDer>> ledger;
  private long certificates;

  /**
   * Judges by these.
   *
   * @param key the audit key, as the auditor kept it
   * @param ledger what was issued under these serial numbers
   */
  Verification(
      Optional<SubjectPublicKeyInfo> key,
      SignatureVerifier signatures,
      Function<List<SerialNumber>, Map<SerialNumber, CertificateDer>> ledger,
      Consumer<Finding> findings) {
    this.findings = findings;
    this.checkpoints = new CheckpointVerifier(key, signatures, findings);
    this.ledger = ledger;
  }

  /** Takes an exported checkpoint; empty if the file holds none. */
  void exported(String file, Optional<SignedCheckpoint> checkpoint) {
    if (checkpoint.isPresent()) {
      checkpoints.exported(file, checkpoint.get());
    } else {
      findings.accept(new Finding.ExportUnreadable(file));
    }
  }

  /** Reads everything, after the exported checkpoints. */
  Summary read(AuditReading reading) {
    reading.checkpoints(checkpoints::stored);
    ChainVerifier rows = checkpoints.rows();
    reading.rows(
        row -> {
          rows.row(row);
          compare(row);
        });
    rows.end();
    return new Summary(
        rows.rows(), rows.chains(), checkpoints.last(), checkpoints.lastSigned(), certificates);
  }

  /** Compares what a row says about certificates with the ledger. */
  void compare(AuditRow row) {
    if (!row.kind().equals(AuditKind.CERTIFICATES_ISSUED.text())) {
      return;
    }
    // A row that does not hold what its kind says was changed, which its hash has shown.
    List<IssuedCertificate> named = IssuedCertificate.parse(row.content()).orElse(List.of());
    if (named.isEmpty()) {
      return;
    }
    Map<SerialNumber, CertificateDer> found =
        ledger.apply(named.stream().map(IssuedCertificate::serialNumber).toList());
    for (IssuedCertificate certificate : named) {
      certificates++;
      @Nullable CertificateDer there = found.get(certificate.serialNumber());
      String serial = certificate.serialNumber().hex();
      if (there == null) {
        findings.accept(new Finding.CertificateMissing(row.chain(), row.sequence(), serial));
      } else if (!Digest.sha256(there.encoded()).equals(certificate.sha256())) {
        findings.accept(new Finding.CertificateChanged(row.chain(), row.sequence(), serial));
      }
    }
  }
}
