package org.sluiceca.core.intent;

import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.x509.CertificateDer;

/**
 * An intent as the ledger knows it now.
 *
 * @param recordedAt the database's time of the record
 * @param outcome empty while pending
 */
public record LedgerEntry(Intent intent, Instant recordedAt, Optional<Outcome> outcome) {

  /** Returns the certificate if it was issued: the recorded bytes and the recorded signature. */
  public Optional<CertificateDer> certificate() {
    return outcome.flatMap(
        o ->
            switch (o) {
              case Outcome.Issued issued ->
                  Optional.of(
                      TbsCertificateWriter.assemble(
                          intent.tbsCertificate(),
                          intent.signatureAlgorithm(),
                          issued.signature()));
              case Outcome.Abandoned abandoned -> Optional.empty();
            });
  }
}
