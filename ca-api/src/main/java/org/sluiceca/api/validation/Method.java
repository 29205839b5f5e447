package org.sluiceca.api.validation;

import java.util.Arrays;
import java.util.Optional;
import org.sluiceca.core.registration.name.Identifier;

/** A type of challenge (RFC 8555 9.7.8). */
public enum Method {
  /** RFC 8555 8.3. */
  HTTP_01("http-01"),
  /** RFC 8555 8.4. */
  DNS_01("dns-01"),
  /** RFC 8737. */
  TLS_ALPN_01("tls-alpn-01"),
  /** draft-ietf-acme-dns-persist. */
  DNS_PERSIST_01("dns-persist-01");

  private final String text;

  Method(String text) {
    this.text = text;
  }

  /** Returns the name that ACME gives it, the {@code type} of a challenge object. */
  public String text() {
    return text;
  }

  /** Reads the {@code type} of a challenge object; empty if this CA does not know it. */
  public static Optional<Method> parse(String text) {
    return Arrays.stream(values()).filter(method -> method.text.equals(text)).findFirst();
  }

  /** Returns whether the proof is a DNS record of the name, and not an answer of its machine. */
  public boolean isByDns() {
    return this == DNS_01 || this == DNS_PERSIST_01;
  }

  /**
   * Returns whether it can prove control of {@code identifier}: DNS records prove names alone, and
   * only they prove a wildcard, since each other method reaches one machine of many.
   *
   * @param wildcard whether {@code *.} stood before the name
   */
  public boolean proves(Identifier identifier, boolean wildcard) {
    return switch (identifier) {
      case Identifier.Dns _ -> !wildcard || isByDns();
      case Identifier.Ip _ -> !wildcard && !isByDns();
    };
  }
}
