package org.sluiceca.api.acme.signed;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Keys of the accounts that asked this node last, at most {@value #MAX}. An account may have
 * another key by now, so what one of these verifies counts only once the account was read.
 * Thread-safe; never blocks.
 */
final class KnownKeys {

  /** Of some hundred octets each. */
  static final int MAX = 2_048;

  private record Name(EndpointName endpoint, RegistrationId id) {}

  private final Map<Name, SubjectPublicKeyInfo> keys =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Name, SubjectPublicKeyInfo> eldest) {
          return size() > MAX;
        }
      };

  /** Returns the key that an account had when it was read last. */
  synchronized Optional<SubjectPublicKeyInfo> find(EndpointName endpoint, RegistrationId id) {
    return Optional.ofNullable(keys.get(new Name(endpoint, id)));
  }

  /** Notes the key of an account that was read. */
  synchronized void put(Account account) {
    keys.put(new Name(account.endpoint(), account.id()), account.key());
  }
}
