package org.sluiceca.api.acme.endpoint;

import java.util.List;
import org.sluiceca.api.validation.Method;
import org.sluiceca.api.validation.ValidationTerms;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.registration.name.NameSpace;

/**
 * How clients of an endpoint prove names.
 *
 * @param methods that are offered, 1 or more
 * @param names that may be proven
 * @param allowsAddresses whether IP addresses may be proven
 */
public record Proofs(
    List<Method> methods, NameSpace names, boolean allowsAddresses, ValidationTerms terms) {

  /**
   * @throws IllegalArgumentException with one line for the operator if there are no methods, or the
   *     terms do not fit them
   */
  public Proofs {
    methods = List.copyOf(methods);
    if (methods.isEmpty()) {
      throw new IllegalArgumentException("challenges need methods");
    }
    if (methods.contains(Method.DNS_PERSIST_01) && terms.persist().issuerDomainNames().isEmpty()) {
      throw new IllegalArgumentException("dns-persist-01 needs issuer-domain-names");
    }
    if (isJudgedBySource(methods, allowsAddresses)) {
      // Resolvers, in which it differs from this node, are not asked about an address.
      terms.perspectives().all().stream()
          .filter(one -> one.source().isEmpty())
          .findFirst()
          .ifPresent(
              one -> {
                throw new IllegalArgumentException(
                    "perspective "
                        + one.name()
                        + " needs a source-address where ip-addresses may be proven: without it, it"
                        + " connects to an address exactly as this node does. A stored version can"
                        + " have no source-address: there, set ip-addresses to false or leave"
                        + " perspectives out");
              });
    }
  }

  /**
   * Returns whether IP addresses are proven by a connection, so that each perspective needs a
   * source address.
   */
  public boolean needsSourceAddresses() {
    return isJudgedBySource(methods, allowsAddresses);
  }

  private static boolean isJudgedBySource(List<Method> methods, boolean allowsAddresses) {
    return allowsAddresses
        && (methods.contains(Method.HTTP_01) || methods.contains(Method.TLS_ALPN_01));
  }

  /** Returns the methods that prove an identifier; empty if it may not be proven here. */
  public List<Method> of(Identifier identifier) {
    boolean isAllowed =
        switch (identifier) {
          case Identifier.Dns _ -> names.outside(List.of(identifier)).isEmpty();
          case Identifier.Ip _ -> allowsAddresses;
        };
    return isAllowed
        ? methods.stream()
            .filter(method -> method.proves(base(identifier), isWildcard(identifier)))
            .toList()
        : List.of();
  }

  /** Returns whether an identifier stands for more than one name. */
  public static boolean isWildcard(Identifier identifier) {
    return identifier instanceof Identifier.Dns dns && dns.isWildcard();
  }

  /** Returns the name below which a wildcard stands; any other identifier itself. */
  public static Identifier base(Identifier identifier) {
    return isWildcard(identifier)
        ? new Identifier.Dns(identifier.value().substring(Identifier.WILDCARD.length()))
        : identifier;
  }
}
