package org.sluiceca.api.cli.ceremony.state;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.api.cli.ceremony.option.TokenOptions;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.ceremony.TokenIdentity;

/**
 * The keys of a token, as far as they were asked for.
 *
 * @param keys the DER encodings of the subjectPublicKeyInfo, by the names of the keys (CKA_ID)
 */
public record TokenState(Map<String, OctetString> keys) {

  /** Copies. */
  public TokenState {
    keys = Map.copyOf(keys);
  }

  /** A token that cannot be used. Its message is one line, and holds no secret. */
  public static final class Unusable extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean isPinRefused;

    Unusable(HsmException cause) {
      super(String.valueOf(cause.getMessage()), cause);
      this.isPinRefused = cause instanceof HsmException.PinRefused;
    }

    /** Whether the token has refused the PIN: it counts those attempts, and locks after a few. */
    public boolean isPinRefused() {
      return isPinRefused;
    }
  }

  /**
   * Logs in once and looks for keys. Blocks as long as the token takes.
   *
   * @param pinFile holds the user PIN
   * @param names of the keys to look for
   * @throws Unusable if the module does not load, no token or several have the label, the PIN is
   *     refused, or a key is not fit for a CA
   */
  public static TokenState read(Path module, String label, Path pinFile, Set<String> names) {
    try (KeyCeremony ceremony = KeyCeremony.open(module, label, new PinFile(pinFile))) {
      Map<String, OctetString> keys = new HashMap<>();
      for (String name : names) {
        ceremony
            .find(TokenOptions.idOf(name))
            .ifPresent(key -> keys.put(name, OctetString.copyOf(key.publicKey().der())));
      }
      return new TokenState(keys);
    } catch (HsmException e) {
      throw new Unusable(e);
    }
  }

  /**
   * Returns whether two labels mean the same token, whatever paths lead to its modules. Logs in to
   * nothing. Blocks as long as the tokens take.
   *
   * @throws Unusable if a module does not load, or no token or several have the label
   */
  public static boolean isSame(Path module, String label, Path otherModule, String otherLabel) {
    try {
      return TokenIdentity.of(module, label).isSame(TokenIdentity.of(otherModule, otherLabel));
    } catch (HsmException e) {
      throw new Unusable(e);
    }
  }

  /** Returns the public key of this name; empty if the token has none. */
  public Optional<OctetString> key(String name) {
    return Optional.ofNullable(keys.get(name));
  }
}
