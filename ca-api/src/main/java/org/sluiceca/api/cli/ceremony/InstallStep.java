package org.sluiceca.api.cli.ceremony;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.cli.ceremony.option.TokenOptions;
import org.sluiceca.api.issuer.service.IssuerChain;
import org.sluiceca.api.issuer.service.IssuerRules;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Installs an issuer, or another certificate of one: it must fit its key in the token and chain to
 * the root.
 */
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
    Instant now = Instant.now();
    IssuerChain judged = IssuerChain.of(chain, new BouncyCastleVerifier(), now);
    KeyRef key;
    try (KeyCeremony ceremony = token.openCeremony()) {
      key =
          ceremony
              .find(TokenOptions.idOf(name))
              .orElseThrow(
                  () -> new IllegalStateException("the token has no key of issuer " + name));
    }
    OctetString inToken = OctetString.copyOf(key.publicKey().der());
    if (!inToken.equals(judged.publicKey())) {
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
          judged,
          new IssuerStore.NewIssuer(
              issuer,
              inToken,
              chain.getFirst(),
              chain.subList(1, chain.size()),
              token.keyOf(key, inToken)),
          audit.actor());
      audit.end();
    }
    CeremonyFiles.writeCertificates(chainOut, chain);
    return 0;
  }

  /**
   * Installing the same again changes nothing; another certificate of its key and subject counts
   * from the nodes' next start on; whatever else there is under the name is refused.
   */
  private static void install(
      IssuerStore issuers, IssuerChain chain, IssuerStore.NewIssuer issuer, String by) {
    if (issuers.insert(issuer)) {
      return;
    }
    RegisteredIssuer present = issuers.find(issuer.name()).orElseThrow();
    if (present.certificates().equals(chain.certificates())) {
      return;
    }
    String is = "issuer " + issuer.name() + " is installed with another certificate";
    IssuerRules.ofRenewal(present, chain)
        .ifPresent(
            fault -> {
              throw new IllegalStateException(is + ", and this cannot renew it: " + fault);
            });
    if (!issuers.renew(present, chain.certificates(), by)) {
      throw new IllegalStateException(is + ", or retired");
    }
  }
}
