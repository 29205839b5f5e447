package org.sluiceca.api.acme.endpoint;

import java.util.Optional;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;

/**
 * The URLs of ACME, all below the service's URL and never by a header of the request. Immutable.
 *
 * @param service {@code https://host:port}
 */
public record AcmeUrls(String service) {

  public String base(EndpointName endpoint) {
    return service + "/acme/" + endpoint.value();
  }

  public String directory(EndpointName endpoint) {
    return base(endpoint) + "/directory";
  }

  public String account(EndpointName endpoint, RegistrationId id) {
    return base(endpoint) + "/account/" + id.text();
  }

  /** Returns what stands before a hashed account URI; no resource is there. */
  public String accountHashPrefix(EndpointName endpoint) {
    return base(endpoint) + "/account-hash/";
  }

  public String orders(EndpointName endpoint, RegistrationId account) {
    return account(endpoint, account) + "/orders";
  }

  public String order(EndpointName endpoint, RegistrationId id) {
    return base(endpoint) + "/order/" + id.text();
  }

  public String finalizing(EndpointName endpoint, RegistrationId id) {
    return order(endpoint, id) + "/finalize";
  }

  public String authorization(EndpointName endpoint, RegistrationId order, int number) {
    return base(endpoint) + "/authorization/" + order.text() + "." + number;
  }

  public String challenge(EndpointName endpoint, RegistrationId order, int number, String method) {
    return base(endpoint) + "/challenge/" + order.text() + "." + number + "/" + method;
  }

  public String renewalInfo(EndpointName endpoint) {
    return base(endpoint) + "/renewal-info";
  }

  public String certificate(EndpointName endpoint, RegistrationId id) {
    return base(endpoint) + "/certificate/" + id.text();
  }

  /** Returns the account that a {@code kid} names; empty if it is none of this endpoint's URLs. */
  public Optional<RegistrationId> accountOf(EndpointName endpoint, String kid) {
    String before = base(endpoint) + "/account/";
    return kid.startsWith(before)
        ? RegistrationId.parse(kid.substring(before.length()))
        : Optional.empty();
  }
}
