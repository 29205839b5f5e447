package org.sluiceca.api.console.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.console.ConsolePaths;
import org.sluiceca.api.console.ConsoleTime;
import org.sluiceca.api.registration.store.PostgresRequestStore;
import org.sluiceca.api.registration.store.RequestsBySerial;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.stereotype.Component;

/**
 * What is known of a certificate that came by a protocol with requests of its own, such as ACME:
 * its request, what it replaces and what replaces it. For administrators and auditors, who alone
 * read requests in REST. Thread-safe; blocks for three look-ups at most.
 */
@Component
final class ProtocolFacts {

  private final RequestsBySerial bySerial;
  private final PostgresRequestStore requests;

  ProtocolFacts(RequestsBySerial bySerial, PostgresRequestStore requests) {
    this.bySerial = bySerial;
    this.requests = requests;
  }

  /**
   * One of them.
   *
   * @param link empty where it leads nowhere
   */
  record Fact(String label, String value, String link) {}

  List<Fact> of(Requester reader, SerialNumber serial) {
    if (!reader.has(Role.ADMIN) && !reader.has(Role.AUDITOR)) {
      return List.of();
    }
    List<Fact> facts = new ArrayList<>();
    bySerial.findBySerial(serial).ifPresent(request -> add(facts, request));
    bySerial
        .replacing(serial)
        .flatMap(requests::find)
        .flatMap(ProtocolFacts::recorded)
        .ifPresent(by -> facts.add(certificate("Replaced by", by)));
    return List.copyOf(facts);
  }

  private static void add(List<Fact> facts, CertificateRequest request) {
    facts.add(new Fact("Came by", "ACME, endpoint " + request.endpoint().value(), ""));
    facts.add(new Fact("Request", request.id().text(), ""));
    facts.add(new Fact("Account", request.actor().text(), ""));
    facts.add(new Fact("Asked at", ConsoleTime.text(request.createdAt()), ""));
    request.replaces().ifPresent(replaced -> facts.add(certificate("Replaces", replaced)));
  }

  private static Optional<SerialNumber> recorded(CertificateRequest request) {
    return request.state() instanceof RequestState.Recorded recorded
        ? Optional.of(recorded.serialNumber())
        : Optional.empty();
  }

  private static Fact certificate(String label, SerialNumber serial) {
    return new Fact(label, serial.hex(), ConsolePaths.CERTIFICATES + "/" + serial.hex());
  }
}
