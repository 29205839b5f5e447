package org.sluiceca.api.audit.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.audit.store.AuditKeyStore.RegisteredKey;
import org.sluiceca.core.audit.RecordedCheckpoint;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.KeyRef;

/** The key that signs checkpoints, if the ceremony has made one. */
public final class AuditKey {

  private record Found(KeyRef reference, SubjectPublicKeyInfo publicKey) {}

  private final @Nullable Found found;

  private AuditKey(@Nullable Found found) {
    this.found = found;
  }

  /**
   * Reads what is registered.
   *
   * @throws IllegalStateException if that is no public key
   */
  static AuditKey of(Optional<RegisteredKey> registered) {
    return new AuditKey(registered.map(AuditKey::read).orElse(null));
  }

  private static Found read(RegisteredKey key) {
    byte[] der = key.subjectPublicKeyInfo().octets();
    try {
      return new Found(
          new KeyRef(CkaId.of(key.ckaId().octets()), org.sluiceca.hsm.SubjectPublicKeyInfo.of(der)),
          PublicKeyReader.read(der));
    } catch (DerException e) {
      throw new IllegalStateException("the registered audit key is bad: " + e.fault(), e);
    }
  }

  /** Whether there is one. */
  public boolean isPresent() {
    return found != null;
  }

  /** Returns the reference of the key in a token, if there is a key. */
  Optional<KeyRef> reference() {
    return Optional.ofNullable(found).map(Found::reference);
  }

  /** Returns its public half by name, for the check after signing. */
  Optional<SubjectPublicKeyInfo> publicKey(KeyName name) {
    return Optional.ofNullable(found)
        .filter(f -> name.equals(RecordedCheckpoint.KEY))
        .map(Found::publicKey);
  }

  /** Returns these keys and this one: the keys to look for in each token. */
  public Set<KeyRef> with(Map<KeyName, KeyRef> keys) {
    return Stream.concat(keys.values().stream(), reference().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns this key by its name, for the signer. */
  Map<KeyName, KeyRef> byName() {
    Map<KeyName, KeyRef> keys = new HashMap<>();
    reference().ifPresent(reference -> keys.put(RecordedCheckpoint.KEY, reference));
    return keys;
  }
}
