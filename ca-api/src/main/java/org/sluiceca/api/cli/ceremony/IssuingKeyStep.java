package org.sluiceca.api.cli.ceremony;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.ceremony.files.TokenCsr;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.cli.ceremony.option.KeyAlgorithmOption;
import org.sluiceca.api.cli.ceremony.option.SubjectOption;
import org.sluiceca.api.cli.ceremony.option.TokenOptions;
import org.sluiceca.api.issuer.store.IssuingKeyStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.signer.HsmSigner;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes the issuing key in its token, once, and writes its CSR. */
@Command(
    name = "issuing-key",
    description = "Makes the issuing key in its token if it is not there, and writes its CSR.")
final class IssuingKeyStep implements Callable<Integer> {

  @Mixin private final TokenOptions token = new TokenOptions();

  /** Where there is none, the key is recorded when the ceremony installs its certificate. */
  @ArgGroup(exclusive = false, multiplicity = "0..1")
  private @Nullable DatabaseOptions database;

  @Option(names = "--name", defaultValue = "issuing", description = "The issuer's name.")
  @SuppressWarnings("NullAway.Init") // picocli sets it: it has a default.
  private String name;

  @Option(
      names = "--key-algorithm",
      defaultValue = "ec-p256",
      converter = KeyAlgorithmOption.class,
      description = "rsa-2048, rsa-3072, rsa-4096, ec-p256, ec-p384, ec-p521 or ed25519.")
  @SuppressWarnings("NullAway.Init")
  private KeyAlgorithm algorithm;

  @Option(names = "--subject", required = true, converter = SubjectOption.class)
  @SuppressWarnings("NullAway.Init")
  private DistinguishedName subject;

  @Option(names = "--csr-out", required = true)
  @SuppressWarnings("NullAway.Init")
  private Path csrOut;

  @Override
  public Integer call() throws IOException, DerException {
    DatabaseOptions recorded = database;
    if (recorded == null) {
      make(_ -> {});
      return 0;
    }
    try (LedgerDatabase opened = recorded.open()) {
      CeremonyChain chain =
          CeremonyChain.begin(
              opened, "issuing-key", Map.of("issuer", name, "token", token.label()));
      make(
          key -> {
            chain.result(Map.of("publicKey", Digest.sha256(key.publicKey().der()).toString()));
            record(new IssuingKeyStore(opened), key);
          });
      chain.end();
    }
    return 0;
  }

  /** So that its certificate can be installed over the network, by nodes that see no token. */
  private void record(IssuingKeyStore keys, KeyRef key) {
    // A responder's key, ISSUER.ocsp, is made here as well: it never becomes an issuer's.
    if (!IssuerName.isValid(name)) {
      return;
    }
    OctetString publicKey = OctetString.copyOf(key.publicKey().der());
    try {
      keys.add(new IssuerName(name), publicKey, token.keyOf(key, publicKey));
    } catch (DerException e) {
      throw new IllegalStateException("the token's public key is bad: " + e.fault(), e);
    }
  }

  private void make(Consumer<KeyRef> made) throws IOException, DerException {
    KeyRef key;
    try (KeyCeremony ceremony = token.openCeremony()) {
      key = ceremony.generateIfAbsent(TokenOptions.idOf(name), "sluice " + name, algorithm);
    }
    made.accept(key);
    try (HsmSigner hsm = token.openSigner()) {
      CeremonyFiles.writeCsr(csrOut, TokenCsr.write(hsm, key, subject));
    }
  }
}
