package org.sluiceca.api.cli.ceremony;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.ceremony.files.TokenCsr;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.cli.ceremony.option.IssuanceOptions;
import org.sluiceca.api.cli.ceremony.option.KeyAlgorithmOption;
import org.sluiceca.api.cli.ceremony.option.SubjectOption;
import org.sluiceca.api.cli.ceremony.option.TokenOptions;
import org.sluiceca.api.issuer.ActiveIssuers;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.signer.HsmSigner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Makes the root, once, and signs the issuing CA's CSR with it. Both certificates go through the
 * line: recorded before they are signed, checked after.
 */
@Command(
    name = "root",
    description = "Makes the root key and certificate if they are not there, and signs a CSR.")
final class RootStep implements Callable<Integer> {

  private static final IssuerName ROOT = new IssuerName("root");

  @Mixin private final TokenOptions token = new TokenOptions();
  @Mixin private final DatabaseOptions database = new DatabaseOptions();
  @Mixin private final IssuanceOptions issuance = new IssuanceOptions();

  @Option(names = "--key-algorithm", defaultValue = "ec-p384", converter = KeyAlgorithmOption.class)
  @SuppressWarnings("NullAway.Init") // picocli sets it: it has a default.
  private KeyAlgorithm algorithm;

  @Option(names = "--subject", required = true, converter = SubjectOption.class)
  @SuppressWarnings("NullAway.Init")
  private DistinguishedName subject;

  @Option(
      names = "--profile",
      defaultValue = "sub-ca",
      description = "The profile of the issuing CA's certificate.")
  @SuppressWarnings("NullAway.Init")
  private String profile;

  @Option(names = "--csr", required = true, description = "The issuing CA's CSR.")
  @SuppressWarnings("NullAway.Init")
  private Path csr;

  @Option(names = "--certificate-out", required = true)
  @SuppressWarnings("NullAway.Init")
  private Path certificateOut;

  @Option(names = "--root-out", required = true)
  @SuppressWarnings("NullAway.Init")
  private Path rootOut;

  @Override
  public Integer call() throws IOException, DerException, InterruptedException {
    CertificateProfile subCa = ProfileFiles.named(issuance.profiles(), profile);
    try (LedgerDatabase opened = database.open()) {
      CeremonyChain chain =
          CeremonyChain.begin(opened, "root", Map.of("token", token.label(), "profile", profile));
      sign(opened, subCa, chain);
      chain.end();
    }
    return 0;
  }

  private void sign(LedgerDatabase opened, CertificateProfile subCa, CeremonyChain chain)
      throws IOException, DerException, InterruptedException {
    KeyRef key;
    try (KeyCeremony ceremony = token.openCeremony()) {
      key = ceremony.generateIfAbsent(TokenOptions.idOf(ROOT.value()), "sluice root", algorithm);
    }
    chain.result(Map.of("publicKey", Digest.sha256(key.publicKey().der()).toString()));
    try (HsmSigner hsm = token.openSigner()) {
      CeremonyLine line = new CeremonyLine(opened, hsm, key, chain);
      RegisteredIssuer root = root(new IssuerStore(opened), line, hsm, key);
      CertificateDer issuing =
          line.issue(
              ActiveIssuers.issuer(root, issuance.publicSide()), subCa, CeremonyFiles.readCsr(csr));
      CeremonyFiles.writeCertificates(rootOut, List.of(root.certificate()));
      CeremonyFiles.writeCertificates(certificateOut, List.of(issuing));
    }
  }

  /** The root as the database knows it; made now if it does not. */
  private RegisteredIssuer root(IssuerStore issuers, CeremonyLine line, HsmSigner hsm, KeyRef key)
      throws DerException, InterruptedException {
    OctetString inToken = OctetString.copyOf(key.publicKey().der());
    Optional<RegisteredIssuer> known = issuers.find(ROOT);
    if (known.isEmpty()) {
      CertificateDer certificate =
          line.issue(
              CeremonyLine.selfIssuer(ROOT, subject, key),
              ProfileFiles.named(ProfileFiles.read(ProfileFiles.CLASSPATH), "root-ca"),
              TokenCsr.write(hsm, key, subject));
      issuers.insert(
          new IssuerStore.NewIssuer(
              ROOT, inToken, certificate, List.of(), token.keyOf(key, inToken)));
      known = issuers.find(ROOT);
    }
    return known
        .filter(root -> root.subjectPublicKeyInfo().equals(inToken))
        .orElseThrow(
            () ->
                new IllegalStateException("the root key in the token is not that of the database"));
  }
}
