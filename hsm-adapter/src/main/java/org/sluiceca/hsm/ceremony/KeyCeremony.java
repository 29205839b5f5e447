package org.sluiceca.hsm.ceremony;

import java.nio.file.Path;
import java.util.Optional;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.PinFile;

/** One logged-in session for generating and finding key pairs. */
@SuppressWarnings("DoNotCallSuggester")
public final class KeyCeremony implements AutoCloseable {
  private KeyCeremony() {}

  /** Opens the token. */
  public static KeyCeremony open(Path module, String tokenLabel, PinFile pin) {
    throw new UnsupportedOperationException();
  }

  /** The pair under this CKA_ID; made if absent. */
  public KeyRef generateIfAbsent(CkaId id, String label, KeyAlgorithm algorithm) {
    throw new UnsupportedOperationException();
  }

  /** The pair under this CKA_ID. */
  public Optional<KeyRef> find(CkaId id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
