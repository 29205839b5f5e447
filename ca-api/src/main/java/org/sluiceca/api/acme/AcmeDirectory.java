package org.sluiceca.api.acme;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.AcmeUrls;

/** The directory of an endpoint: where its resources are, and what it asks of clients. */
final class AcmeDirectory {

  private AcmeDirectory() {}

  /** Returns the members of the directory (RFC 8555 7.1.1, RFC 9773 4). */
  static Map<String, Object> of(AcmeEndpoint endpoint, AcmeUrls urls) {
    String base = urls.base(endpoint.name());
    Map<String, Object> directory = new LinkedHashMap<>();
    directory.put("newNonce", base + "/new-nonce");
    directory.put("newAccount", base + "/new-account");
    directory.put("newOrder", base + "/new-order");
    directory.put("revokeCert", base + "/revoke-cert");
    directory.put("keyChange", base + "/key-change");
    directory.put("renewalInfo", urls.renewalInfo(endpoint.name()));
    directory.put("meta", meta(endpoint, urls));
    return directory;
  }

  private static Map<String, Object> meta(AcmeEndpoint endpoint, AcmeUrls urls) {
    Map<String, Object> meta = new LinkedHashMap<>();
    meta.put("externalAccountRequired", endpoint.owner().isEmpty());
    Map<String, String> profiles = new TreeMap<>();
    endpoint
        .profiles()
        .forEach(profile -> profiles.put(profile.value(), urls.service() + "/v1/profiles"));
    meta.put("profiles", profiles);
    List<String> issuers =
        endpoint
            .proofs()
            .map(proofs -> proofs.terms().persist().issuerDomainNames())
            .orElse(List.of());
    if (!issuers.isEmpty()) {
      meta.put("caaIdentities", issuers);
      // With both a client makes a record of dns-persist-01 before its first order.
      meta.put("issuerDomainNames", issuers);
      meta.put("accountHashPrefix", urls.accountHashPrefix(endpoint.name()));
    }
    return meta;
  }
}
