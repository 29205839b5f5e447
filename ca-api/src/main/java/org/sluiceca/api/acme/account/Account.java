package org.sluiceca.api.acme.account;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.acme.binding.Binding;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * An account of an endpoint.
 *
 * @param thumbprint of its key, 32 octets (RFC 7638)
 * @param binding by which it was made, as it is now
 * @param endedAt when its owner deactivated it
 */
public record Account(
    RegistrationId id,
    EndpointName endpoint,
    OctetString thumbprint,
    SubjectPublicKeyInfo key,
    List<String> contacts,
    Binding binding,
    Optional<Instant> endedAt) {

  /** Copies the contacts. */
  public Account {
    contacts = List.copyOf(contacts);
  }

  /** Returns how the audit trail names it. */
  public String actor() {
    return "acme:" + endpoint.value() + ":" + id.text();
  }
}
