package org.sluiceca.client.certificate;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.key.PemFiles;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import tools.jackson.databind.JsonNode;

/**
 * Certificates that were asked for: fetched at once, or as soon as their order is finished (202).
 */
final class Orders {
  static final String CHAIN = "application/pem-certificate-chain";
  private static final int ACCEPTED = 202;

  private final Service service;
  private final Console console;

  Orders(Service service, Console console) {
    this.service = service;
    this.console = console;
  }

  /**
   * A certificate with its chain.
   *
   * @param serial lower-case hexadecimal digits
   * @param chain PEM, the certificate first
   */
  record Issued(String serial, String chain) {}

  /** The certificate that the answer to a request holds or promises. */
  Issued of(Reply reply) {
    String id =
        reply
            .locationId()
            .orElseThrow(
                () -> Failure.of("the service accepted the request, but named no certificate"));
    if (reply.status() != ACCEPTED) {
      return new Issued(id, pem(reply));
    }
    console.say("accepted as order %s", id);
    await(id, reply);
    return new Issued(id, fetch(id));
  }

  /** A certificate with its chain, by its serial number. */
  String fetch(String serial) {
    return pem(service.ask(Call.get("/v1/certificates/" + serial).with("Accept", CHAIN)));
  }

  /** Waits until an order is issued, of which {@code first} is the state. */
  void awaitFrom(String id, Reply first) {
    if (!isIssued(id, first)) {
      await(id, first);
    }
  }

  private void await(String id, Reply accepted) {
    Reply last = accepted;
    while (service.waits(last)) {
      last = service.ask(Call.get("/v1/orders/" + id));
      if (isIssued(id, last)) {
        return;
      }
    }
    throw Failure.of("order " + id + " is still pending; it is not lost: sluice get " + id);
  }

  private static boolean isIssued(String id, Reply reply) {
    JsonNode order = reply.json();
    String status = order.path("status").asString("");
    if (!status.equals("issued") && !status.equals("pending")) {
      String detail = order.path("detail").asString("");
      throw Failure.of("order " + id + " " + status + (detail.isEmpty() ? "" : ": " + detail));
    }
    return status.equals("issued");
  }

  /** Read and written again: nothing but certificates comes out. */
  private static String pem(Reply reply) {
    String text = reply.text();
    StringBuilder chain = new StringBuilder();
    for (X509Certificate certificate : PemFiles.certificates(text, "the answer")) {
      try {
        chain.append(PemFiles.block("CERTIFICATE", certificate.getEncoded()));
      } catch (CertificateEncodingException e) {
        throw Failure.of("the answer holds a certificate that cannot be read");
      }
    }
    return chain.toString();
  }
}
