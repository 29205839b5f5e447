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
 * @param requester whose share it uses: the binding's, else the owner that the endpoint had when it
 *     was registered, until {@link #under} says otherwise
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

  /**
   * Returns it as it is under the owner that its endpoint has now. Without a binding it is of that
   * owner; of an endpoint without one it stays of {@link #requester}, the owner at its
   * registration, and gets no new certificates.
   */
  public Account under(Optional<RequesterId> owner) {
    return binding.isPresent() || owner.isEmpty()
        ? this
        : new Account(id, endpoint, thumbprint, key, contacts, owner.get(), binding, standing);
  }

  /** Returns how the audit trail names it. */
  public String actor() {
    return "acme:" + endpoint.value() + ":" + id.text();
  }
}
