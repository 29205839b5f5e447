package org.sluiceca.api.cli.ceremony;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.audit.store.AuditKeyStore;
import org.sluiceca.api.audit.store.AuditKeyStore.RegisteredKey;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.cli.ceremony.option.TokenOptions;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.audit.RecordedCheckpoint;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes the key that signs the audit trail's checkpoints, once, and writes its public half. */
@Command(
    name = "audit-key",
    description =
        "Makes the key that signs the audit trail's checkpoints if it is not there, registers it,"
            + " and writes its public key, which auditors keep.")
final class AuditKeyStep implements Callable<Integer> {

  @Mixin private final TokenOptions token = new TokenOptions();
  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Option(names = "--public-key-out", required = true, description = "The public key (PEM).")
  @SuppressWarnings("NullAway.Init") // picocli sets it, for it is required.
  private Path publicKeyOut;

  @Override
  public Integer call() throws IOException {
    try (LedgerDatabase opened = database.open()) {
      CeremonyChain chain =
          CeremonyChain.begin(opened, "audit-key", Map.of("token", token.label()));
      KeyRef key;
      try (KeyCeremony ceremony = token.openCeremony()) {
        // RecordedCheckpoint.ALGORITHM is for this kind.
        key =
            ceremony.generateIfAbsent(
                TokenOptions.idOf(RecordedCheckpoint.KEY.value()),
                "sluice audit",
                KeyAlgorithm.EC_P256);
      }
      OctetString publicKey = OctetString.copyOf(key.publicKey().der());
      RegisteredKey registered =
          new AuditKeyStore(opened)
              .register(
                  new RegisteredKey(
                      publicKey, OctetString.copyOf(key.id().bytes()), token.label()));
      if (!registered.subjectPublicKeyInfo().equals(publicKey)) {
        throw new IllegalStateException(
            String.format(
                Locale.ROOT,
                "another audit key is registered, of token %s",
                registered.tokenLabel()));
      }
      CeremonyFiles.writePublicKey(publicKeyOut, publicKey.octets());
      chain.result(Map.of("publicKey", Digest.sha256(publicKey.octets()).toString()));
      chain.end();
    }
    return 0;
  }
}
