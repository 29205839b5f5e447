package org.sluiceca.api.acme.endpoint.administration;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.Proofs;
import org.sluiceca.api.validation.Method;
import org.sluiceca.api.validation.Perspectives.Perspective;
import org.sluiceca.api.validation.ValidationTerms;

/**
 * What an endpoint allows, by the keys of its file and in the file's words, with the defaults of
 * what the file leaves out. Lists of any order, such as names, are sorted. Pure.
 */
final class EndpointTerms {

  private EndpointTerms() {}

  /** Returns texts by key, in the order of the file. */
  static Map<String, String> of(AcmeEndpoint endpoint) {
    Map<String, String> terms = new LinkedHashMap<>();
    terms.put("profiles", list(endpoint.profiles()));
    terms.put("external-account-binding", endpoint.owner().isPresent() ? "none" : "required");
    endpoint.owner().ifPresent(owner -> terms.put("requester", owner.value()));
    terms.put("any-name", Boolean.toString(endpoint.allowsAnyName()));
    endpoint.proofs().ifPresent(proofs -> challenges(proofs, terms));
    return terms;
  }

  private static void challenges(Proofs proofs, Map<String, String> all) {
    ValidationTerms terms = proofs.terms();
    Map<String, String> challenges = new LinkedHashMap<>();
    challenges.put("methods", list(proofs.methods().stream().map(Method::text).toList()));
    challenges.put("names", sorted(proofs.names().patterns()));
    challenges.put("ip-addresses", Boolean.toString(proofs.allowsAddresses()));
    challenges.put(
        "resolvers",
        terms.resolvers().isEmpty() ? "those of the system" : addresses(terms.resolvers()));
    challenges.put("resolvers-agree", Boolean.toString(terms.allMustAgree()));
    challenges.put("addresses", terms.addresses().scope().name().toLowerCase(Locale.ROOT));
    challenges.put(
        "networks",
        terms.addresses().networks().isEmpty() ? "any" : sorted(terms.addresses().networks()));
    challenges.put("http-port", Integer.toString(terms.httpPort()));
    challenges.put("tls-port", Integer.toString(terms.tlsPort()));
    challenges.put("deadline-seconds", Long.toString(terms.deadline().toSeconds()));
    if (!terms.persist().issuerDomainNames().isEmpty()) {
      challenges.put("issuer-domain-names", list(terms.persist().issuerDomainNames()));
      challenges.put("clear-account-uris", Boolean.toString(terms.persist().clearAccountUri()));
    }
    if (!terms.perspectives().all().isEmpty()) {
      challenges.put(
          "perspectives",
          terms.perspectives().all().stream()
              .map(EndpointTerms::perspective)
              .collect(Collectors.joining("; ")));
      challenges.put("perspectives-agree", Integer.toString(terms.perspectives().agree()));
    }
    challenges.forEach((key, value) -> all.put("challenges." + key, value));
  }

  private static String perspective(Perspective one) {
    return one.name()
        + ": "
        + addresses(one.resolvers())
        + one.source().map(source -> " from " + source.getHostAddress()).orElse("");
  }

  private static String addresses(List<InetSocketAddress> resolvers) {
    return list(resolvers.stream().map(EndpointTerms::address).toList());
  }

  private static String address(InetSocketAddress resolver) {
    String host = resolver.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + resolver.getPort();
  }

  private static String list(List<?> values) {
    return values.stream().map(Object::toString).collect(Collectors.joining(", "));
  }

  private static String sorted(List<?> values) {
    return values.stream().map(Object::toString).sorted().collect(Collectors.joining(", "));
  }
}
