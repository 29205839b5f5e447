package org.sluiceca.api.validation.dns;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.api.validation.AddressPolicy;
import org.sluiceca.api.validation.Endpoint;
import org.sluiceca.api.validation.ValidationException;
import org.sluiceca.api.validation.Verdict;
import org.sluiceca.core.x509.IpLiteral;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Type;

/**
 * The addresses of a machine to which a validator may connect. The caller connects to them and to
 * no other, so that a second look-up cannot lead elsewhere (DNS rebinding). Immutable.
 */
public final class Addresses {

  /** One of each version: a machine that answers at neither will not at a third. */
  private static final int TRIED = 2;

  /** Of each version; a name with more is one of a provider's that needs none of this CA. */
  private static final int RECORDS_MAX = 64;

  private final DnsClient dns;
  private final AddressPolicy policy;
  private final Optional<InetAddress> source;

  /**
   * @param source the address of this host from which its caller connects; empty for any
   */
  public Addresses(DnsClient dns, AddressPolicy policy, Optional<InetAddress> source) {
    this.dns = dns;
    this.policy = policy;
    this.source = source;
  }

  /** Returns the address of this host from which to connect; empty for any. */
  public Optional<InetAddress> source() {
    return source;
  }

  /**
   * Returns one or two addresses to try in this order, IPv6 before IPv4. Blocks for look-ups.
   *
   * @param host a DNS name, or an IP address without brackets
   * @throws ValidationException if there is none, or the policy allows none
   */
  public List<InetAddress> of(String host) throws ValidationException {
    Optional<InetAddress> literal = IpLiteral.parse(host);
    List<InetAddress> all = literal.isPresent() ? List.of(literal.get()) : lookUp(host);
    List<InetAddress> allowed =
        all.stream().filter(address -> policy.refusal(address).isEmpty()).toList();
    if (allowed.isEmpty()) {
      InetAddress first = all.getFirst();
      throw new ValidationException(
          Verdict.Kind.CONNECTION,
          "this CA does not connect to "
              + Endpoint.text(first)
              + (literal.isPresent() ? "" : ", the address of " + host)
              + ": it "
              + policy.refusal(first).orElse("is refused"));
    }
    List<InetAddress> reachable =
        allowed.stream()
            .filter(
                address ->
                    source.map(InetAddress::getClass).stream().allMatch(address.getClass()::equals))
            .toList();
    if (reachable.isEmpty()) {
      throw new ValidationException(
          Verdict.Kind.CONNECTION,
          host + " has no address of the IP version by which this CA has to connect");
    }
    return chosen(reachable);
  }

  private static List<InetAddress> chosen(List<InetAddress> allowed) {
    List<InetAddress> chosen = new ArrayList<>();
    chosen.add(allowed.getFirst());
    allowed.stream()
        .filter(address -> address.getClass() != allowed.getFirst().getClass())
        .findFirst()
        .ifPresent(chosen::add);
    allowed.stream()
        .filter(address -> !chosen.contains(address))
        .limit(Math.max(0, TRIED - chosen.size()))
        .toList()
        .forEach(chosen::add);
    return List.copyOf(chosen);
  }

  private List<InetAddress> lookUp(String host) throws ValidationException {
    Answers ipv4 = agreed(host, Type.A);
    if (ipv4.doesNotExist) {
      throw new ValidationException(
          Verdict.Kind.DNS, "the name " + host + " does not exist in DNS (NXDOMAIN)");
    }
    Answers ipv6 = agreed(host, Type.AAAA);
    List<InetAddress> all = new ArrayList<>(ipv6.addresses);
    all.addAll(ipv4.addresses);
    if (all.isEmpty()) {
      throw new ValidationException(
          Verdict.Kind.DNS,
          ipv4.failure
              .or(() -> ipv6.failure)
              .orElse("there is no A or AAAA record of " + host + " on which the resolvers agree"));
    }
    return all;
  }

  private record Answers(
      Set<InetAddress> addresses, Optional<String> failure, boolean doesNotExist) {}

  /** Those that each server has that was asked. */
  private Answers agreed(String host, int type) {
    Set<InetAddress> agreed = new LinkedHashSet<>();
    boolean isFirst = true;
    for (DnsAnswer answer : dns.ask(host, type)) {
      switch (answer) {
        case DnsAnswer.Failed(var _, String detail) -> {
          return new Answers(Set.of(), Optional.of(detail), false);
        }
        case DnsAnswer.Absent(var _, boolean nameExists) -> {
          return new Answers(Set.of(), Optional.empty(), !nameExists);
        }
        case DnsAnswer.Found found -> {
          if (isFirst) {
            agreed.addAll(addresses(found));
          } else {
            agreed.retainAll(addresses(found));
          }
        }
      }
      isFirst = false;
    }
    return new Answers(agreed, Optional.empty(), false);
  }

  private static List<InetAddress> addresses(DnsAnswer.Found found) {
    List<InetAddress> addresses = new ArrayList<>();
    found.records().stream()
        .limit(RECORDS_MAX)
        .forEach(
            record -> {
              if (record instanceof ARecord a) {
                addresses.add(a.getAddress());
              } else if (record instanceof AAAARecord aaaa) {
                addresses.add(aaaa.getAddress());
              }
            });
    return addresses;
  }
}
