package org.sluiceca.api.cli.ceremony.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.cli.ceremony.store.RestoredCertificates.Verified;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.der.SignedCertificate;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Certificates from outside, distinguished by their signatures.
 *
 * @param verified those that an issuer of this CA has signed, under a serial number of its layout
 * @param foreign how many others there were
 */
public record BroughtCertificates(List<Verified> verified, int foreign) {

  /** Copies. */
  public BroughtCertificates {
    verified = List.copyOf(verified);
  }

  private record Key(IssuerName issuer, SubjectPublicKeyInfo info) {}

  /**
   * Reads files of PEM, any number of certificates in each.
   *
   * @throws IOException if a file cannot be read, or has none
   * @throws DerException if a block is not base64, or an issuer's key cannot be read
   */
  public static BroughtCertificates read(List<Path> files, List<RegisteredIssuer> issuers)
      throws IOException, DerException {
    List<Key> keys = new ArrayList<>();
    for (RegisteredIssuer issuer : issuers) {
      keys.add(
          new Key(issuer.name(), PublicKeyReader.read(issuer.subjectPublicKeyInfo().octets())));
    }
    List<Verified> verified = new ArrayList<>();
    int foreign = 0;
    for (Path file : files) {
      for (CertificateDer certificate : CeremonyFiles.readCertificates(file)) {
        Optional<Verified> one = verify(certificate, keys);
        one.ifPresent(verified::add);
        foreign += one.isEmpty() ? 1 : 0;
      }
    }
    return new BroughtCertificates(verified, foreign);
  }

  private static Optional<Verified> verify(CertificateDer certificate, List<Key> keys) {
    try {
      SignedCertificate read = CertificateReader.read(certificate);
      BouncyCastleVerifier verifier = new BouncyCastleVerifier();
      for (Key key : keys) {
        if (verifier.verifies(
            key.info(),
            read.signatureAlgorithm(),
            OctetString.copyOf(read.tbs().encoded()),
            read.signature())) {
          return Optional.of(
              new Verified(
                  SerialNumber.of(read.fields().serialNumber().octets()),
                  key.issuer(),
                  read.tbs(),
                  read.signatureAlgorithm(),
                  read.signature()));
        }
      }
      return Optional.empty();
    } catch (DerException | IllegalArgumentException e) {
      // All that this CA issues can be read, and has a serial number of this CA.
      return Optional.empty();
    }
  }
}
