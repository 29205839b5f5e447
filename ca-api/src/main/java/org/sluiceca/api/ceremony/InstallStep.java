package org.sluiceca.api.ceremony;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.ceremony.option.DatabaseOptions;
import org.sluiceca.api.ceremony.option.TokenOptions;
import org.sluiceca.api.ceremony.paper.CeremonyFiles;
import org.sluiceca.api.ledger.IssuerStore;
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.ExtensionReader;
import org.sluiceca.core.der.SignedCertificate;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Installs an issuer: its certificate must fit its key in the token and chain to the root. */
@Command(
    name = "install",
    description = "Installs the issuing CA's certificate, from this product's root or another.")
final class InstallStep implements Callable<Integer> {

  @Mixin private final TokenOptions token = new TokenOptions();
  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Option(names = "--name", defaultValue = "issuing", description = "The issuer's name.")
  @SuppressWarnings("NullAway.Init") // picocli sets it: it has a default.
  private String name;

  @Option(names = "--certificate", required = true, description = "The issuing CA's (PEM).")
  @SuppressWarnings("NullAway.Init")
  private Path certificate;

  @Option(
      names = "--root",
      required = true,
      description = "The certificates above it (PEM), trust anchor last.")
  @SuppressWarnings("NullAway.Init")
  private Path root;

  @Option(names = "--chain-out", required = true)
  @SuppressWarnings("NullAway.Init")
  private Path chainOut;

  @Override
  public Integer call() throws IOException, DerException {
    IssuerName issuer = new IssuerName(name);
    List<CertificateDer> chain = new ArrayList<>(CeremonyFiles.readCertificates(certificate));
    chain.addAll(CeremonyFiles.readCertificates(root));
    checkChain(chain);
    KeyRef key;
    try (KeyCeremony ceremony = token.openCeremony()) {
      key =
          ceremony
              .find(TokenOptions.idOf(name))
              .orElseThrow(
                  () -> new IllegalStateException("the token has no key of issuer " + name));
    }
    OctetString inToken = OctetString.copyOf(key.publicKey().der());
    byte[] inCertificate =
        CertificateReader.read(chain.getFirst()).fields().subjectPublicKeyInfo().encoded();
    if (!inToken.equals(OctetString.copyOf(inCertificate))) {
      throw new IllegalStateException("the certificate is not for the key in the token");
    }
    try (LedgerDatabase opened = database.open()) {
      CeremonyChain audit =
          CeremonyChain.begin(
              opened,
              "install",
              Map.of(
                  "issuer", name,
                  "token", token.label(),
                  "publicKey", Digest.sha256(inToken.octets()).toString()));
      audit.certificate(name, chain.getFirst());
      install(
          new IssuerStore(opened),
          new IssuerStore.NewIssuer(
              issuer,
              inToken,
              chain.getFirst(),
              chain.subList(1, chain.size()),
              token.keyOf(key, inToken)));
      audit.end();
    }
    CeremonyFiles.writeCertificates(chainOut, chain);
    return 0;
  }

  /** Installing the same again changes nothing; another certificate under the name is refused. */
  private static void install(IssuerStore issuers, IssuerStore.NewIssuer issuer) {
    if (!issuers.insert(issuer)
        && issuers
            .find(issuer.name())
            .filter(known -> known.certificate().equals(issuer.certificate()))
            .isEmpty()) {
      throw new IllegalStateException(
          "issuer " + issuer.name() + " is installed with another certificate");
    }
  }

  /** Each certificate is a CA's and signed by the next; the last signs itself. */
  private static void checkChain(List<CertificateDer> chain) throws DerException {
    for (int i = 0; i < chain.size(); i++) {
      SignedCertificate lower = CertificateReader.read(chain.get(i));
      SignedCertificate upper =
          CertificateReader.read(chain.get(Math.min(i + 1, chain.size() - 1)));
      if (!lower.fields().issuer().equals(upper.fields().subject())
          || !new BouncyCastleVerifier()
              .verifies(
                  upper.fields().subjectPublicKeyInfo(),
                  lower.signatureAlgorithm(),
                  OctetString.copyOf(lower.tbs().encoded()),
                  lower.signature())) {
        throw new IllegalStateException(
            "certificate %d of the chain is not signed by the next".formatted(i + 1));
      }
      boolean isCa =
          lower.fields().extension(ExtensionOids.BASIC_CONSTRAINTS).isPresent()
              && ExtensionReader.isCa(
                  lower.fields().extension(ExtensionOids.BASIC_CONSTRAINTS).get());
      if (!isCa) {
        throw new IllegalStateException("certificate %d of the chain is no CA's".formatted(i + 1));
      }
    }
  }
}
