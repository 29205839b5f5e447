package org.sluiceca.api.acme.account;

import java.util.List;
import java.util.Optional;
import org.sluiceca.api.acme.binding.Binding;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * An account of an endpoint.
 *
 * @param thumbprint of its key, 32 octets (RFC 7638)
 * @param requester whose share it uses
 * @param binding by which it was made, as it is now; empty where none is required
 * @param standing what its limits depend on
 */
public record Account(
    RegistrationId id,
    EndpointName endpoint,
    OctetString thumbprint,
    SubjectPublicKeyInfo key,
    List<String> contacts,
    RequesterId requester,
    Optional<Binding> binding,
    Standing standing) {

  /** Copies the contacts. */
  public Account {
    contacts = List.copyOf(contacts);
  }

  /** Returns whether it may have an identifier certified without a proof. */
  public boolean covers(Identifier identifier) {
    return binding.filter(b -> b.names().outside(List.of(identifier)).isEmpty()).isPresent();
  }

  /** Returns how the audit trail names it. */
  public String actor() {
    return "acme:" + endpoint.value() + ":" + id.text();
  }
}
