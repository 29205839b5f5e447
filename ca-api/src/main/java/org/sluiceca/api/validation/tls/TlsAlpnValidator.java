package org.sluiceca.api.validation.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.sluiceca.api.validation.Challenge;
import org.sluiceca.api.validation.Endpoint;
import org.sluiceca.api.validation.TimeLimit;
import org.sluiceca.api.validation.ValidationException;
import org.sluiceca.api.validation.Verdict;
import org.sluiceca.api.validation.dns.Addresses;
import org.sluiceca.core.registration.name.Identifier;

/** Validates tls-alpn-01 (RFC 8737; of addresses RFC 8738). */
public final class TlsAlpnValidator {

  private static final String PROTOCOL = "acme-tls/1";

  private TlsAlpnValidator() {}

  /**
   * Connects and judges the certificate. Blocks until {@code limit} at most.
   *
   * @throws ValidationException if the machine does not prove it
   */
  public static Verdict.Valid validate(
      Challenge challenge, Addresses addresses, int port, TimeLimit limit)
      throws ValidationException {
    List<InetAddress> targets = addresses.of(challenge.name());
    for (int i = 0; ; i++) {
      InetSocketAddress target = new InetSocketAddress(targets.get(i), port);
      boolean isLast = i == targets.size() - 1;
      try (Socket socket = Connections.socket(addresses.source());
          Guard _ = Guard.of(socket, limit)) {
        try {
          // Half of the time, so that the other address gets its chance.
          socket.connect(target, Math.toIntExact(limit.left().toMillis() / (isLast ? 1 : 2) + 1));
        } catch (IOException e) {
          if (isLast || limit.isOver()) {
            throw Connections.failed(target, limit);
          }
          continue;
        }
        socket.setSoTimeout(Math.toIntExact(limit.left().toMillis()));
        return shakeHands(challenge, socket, target, limit);
      } catch (IOException e) {
        throw Connections.failed(target, limit);
      }
    }
  }

  private static Verdict.Valid shakeHands(
      Challenge challenge, Socket socket, InetSocketAddress target, TimeLimit limit)
      throws ValidationException {
    String serverName =
        switch (challenge.identifier()) {
          case Identifier.Dns(String name) -> name;
          case Identifier.Ip(InetAddress address) -> ReverseName.of(address);
        };
    String where = Endpoint.text(target);
    SSLSocket secured;
    try {
      secured = UnverifiedTls.upgrade(socket, serverName, target.getPort(), List.of(PROTOCOL));
    } catch (IOException e) {
      throw new ValidationException(
          Verdict.Kind.TLS,
          limit.isOver()
              ? "the TLS handshake with " + where + " did not end within " + limit.text()
              : "the TLS handshake with "
                  + where
                  + " failed: does it answer ALPN "
                  + PROTOCOL
                  + " for "
                  + serverName
                  + "?");
    }
    if (!PROTOCOL.equals(secured.getApplicationProtocol())) {
      throw new ValidationException(
          Verdict.Kind.TLS,
          where + " did not negotiate ALPN " + PROTOCOL + ": is the client's server behind it?");
    }
    Optional<String> fault =
        AlpnCertificate.fault(
            certificate(secured, where), challenge.identifier(), challenge.keyAuthorization());
    if (fault.isPresent()) {
      throw new ValidationException(
          Verdict.Kind.INCORRECT_RESPONSE, "the certificate of " + where + ": " + fault.get());
    }
    return new Verdict.Valid("certificate of " + where, Optional.empty());
  }

  private static X509Certificate certificate(SSLSocket secured, String where)
      throws ValidationException {
    try {
      Certificate[] chain = secured.getSession().getPeerCertificates();
      if (chain.length > 0 && chain[0] instanceof X509Certificate certificate) {
        return certificate;
      }
    } catch (SSLPeerUnverifiedException _) {
      // Said below.
    }
    throw new ValidationException(Verdict.Kind.TLS, where + " sent no certificate");
  }
}
