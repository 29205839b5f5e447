package org.sluiceca.api.validation.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.sluiceca.api.validation.Challenge;
import org.sluiceca.api.validation.Endpoint;
import org.sluiceca.api.validation.TimeLimit;
import org.sluiceca.api.validation.ValidationException;
import org.sluiceca.api.validation.ValidationTerms;
import org.sluiceca.api.validation.Verdict;
import org.sluiceca.api.validation.dns.Addresses;
import org.sluiceca.api.validation.tls.Connections;

/**
 * Validates http-01 (RFC 8555 8.3; of addresses RFC 8738). Says no word of what the machine sent:
 * by a redirect a client could make this CA read to it from a network of its own.
 */
public final class Http01Validator {

  private static final String PATH = "/.well-known/acme-challenge/";

  /** As other CAs follow. */
  static final int REDIRECTS_MAX = 10;

  private static final int OK = 200;

  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  private final Addresses addresses;
  private final ValidationTerms terms;
  private final TimeLimit limit;

  public Http01Validator(Addresses addresses, ValidationTerms terms, TimeLimit limit) {
    this.addresses = addresses;
    this.terms = terms;
    this.limit = limit;
  }

  /**
   * Asks for the token's resource. Blocks until the limit at most.
   *
   * @throws ValidationException if the machine does not answer with the key authorization
   */
  public Verdict.Valid validate(Challenge challenge) throws ValidationException {
    Redirect at = Redirect.first(challenge.name(), terms.httpPort(), PATH + challenge.token());
    for (int redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      Fetched fetched = redirects == 0 ? fetch(at) : fetchRedirected(at, redirects);
      HttpExchange.Answer answer = fetched.answer;
      String from = fetched.from + (redirects == 0 ? "" : " behind redirect " + redirects);
      if (answer.status() == OK) {
        compare(challenge.keyAuthorization(), answer.body(), from);
        return new Verdict.Valid("resource of " + from, Optional.empty());
      }
      if (!REDIRECTS.contains(answer.status())) {
        throw new ValidationException(
            Verdict.Kind.UNAUTHORIZED,
            from
                + " answered "
                + answer.status()
                + " for "
                + PATH
                + "..., expected is 200 with the key authorization");
      }
      int next = redirects + 1;
      Redirect here = at;
      at =
          answer
              .location()
              .flatMap(location -> here.to(location, terms))
              .orElseThrow(
                  () ->
                      new ValidationException(
                          Verdict.Kind.UNAUTHORIZED,
                          "redirect "
                              + next
                              + " of "
                              + challenge.name()
                              + " may lead to http on port "
                              + terms.httpPort()
                              + " or https on port "
                              + terms.tlsPort()
                              + " of a DNS name alone"));
    }
    throw new ValidationException(
        Verdict.Kind.UNAUTHORIZED,
        challenge.name() + " redirects more than " + REDIRECTS_MAX + " times");
  }

  /**
   * An answer.
   *
   * @param from the address, or of a redirect no word of where
   */
  private record Fetched(HttpExchange.Answer answer, String from) {}

  /** Says not why: the name is the other machine's choice, and might be of this CA's network. */
  private Fetched fetchRedirected(Redirect at, int redirects) throws ValidationException {
    try {
      return new Fetched(fetch(at).answer, "the machine");
    } catch (ValidationException e) {
      throw new ValidationException(
          e.verdict().kind(),
          "redirect "
              + redirects
              + " led to no answer within "
              + limit.text()
              + ": its name has no address, this CA does not connect to it, or no server listens");
    }
  }

  private Fetched fetch(Redirect at) throws ValidationException {
    List<InetAddress> targets = addresses.of(at.host());
    for (int i = 0; ; i++) {
      InetAddress address = targets.get(i);
      boolean isLast = i == targets.size() - 1;
      boolean isSecured = at.uri().getScheme().equals("https");
      InetSocketAddress target =
          new InetSocketAddress(
              address, at.uri().getPort() >= 0 ? at.uri().getPort() : standardPort(isSecured));
      // Half of the time, so that the other address gets its chance.
      Duration connectTime = isLast ? limit.left() : limit.left().dividedBy(2).plusMillis(1);
      try {
        return new Fetched(
            HttpExchange.get(
                Connections.socket(addresses.source()),
                at.uri(),
                at.host(),
                address,
                connectTime,
                limit),
            Endpoint.text(target));
      } catch (HttpExchange.NotConnectedException _) {
        if (isLast || limit.isOver()) {
          throw Connections.failed(target, limit);
        }
      } catch (SSLException e) {
        throw new ValidationException(
            Verdict.Kind.TLS, "the TLS handshake with " + Endpoint.text(target) + " failed");
      } catch (IOException e) {
        if (limit.isOver()) {
          throw Connections.failed(target, limit);
        }
        throw new ValidationException(
            Verdict.Kind.CONNECTION,
            Endpoint.text(target) + " sent no whole answer of HTTP/1.1 within its usual bounds");
      }
    }
  }

  private static int standardPort(boolean isSecured) {
    return isSecured ? ValidationTerms.TLS_PORT : ValidationTerms.HTTP_PORT;
  }

  private static void compare(String keyAuthorization, String body, String from)
      throws ValidationException {
    if (body.length() > HttpExchange.BODY_BYTES_MAX) {
      throw new ValidationException(
          Verdict.Kind.INCORRECT_RESPONSE,
          from
              + " sent more than "
              + HttpExchange.BODY_BYTES_MAX
              + " octets, expected is the key authorization alone");
    }
    // RFC 8555 8.3: white space at the end is ignored.
    if (!body.stripTrailing().equals(keyAuthorization)) {
      throw new ValidationException(
          Verdict.Kind.INCORRECT_RESPONSE,
          "the "
              + body.length()
              + " octets from "
              + from
              + " are not the key authorization of this challenge and account");
    }
  }
}
