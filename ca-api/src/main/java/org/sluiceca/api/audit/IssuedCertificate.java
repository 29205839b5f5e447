package org.sluiceca.api.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a chain says about a certificate.
 *
 * @param requester the requester that enrolled it; {@link AuditEvent#UNKNOWN_ACTOR} in rows of
 *     earlier versions
 * @param sha256 over the whole certificate
 */
public record IssuedCertificate(SerialNumber serialNumber, String requester, OctetString sha256) {

  /** Certificates of one row: 28 KB with short names of requesters, 42 KB with the longest. */
  static final int PER_ROW = 200;

  private static final String LIST = "certificates";
  private static final String SERIAL = "serial";
  private static final String REQUESTER = "requester";
  private static final String SHA256 = "sha256";

  private static final JsonMapper JSON = new JsonMapper();

  /** Returns what is to be said about a certificate. */
  public static IssuedCertificate of(
      SerialNumber serialNumber, RequesterId requester, CertificateDer certificate) {
    return new IssuedCertificate(
        serialNumber, requester.value(), Digest.sha256(certificate.encoded()));
  }

  /** Returns the facts that say it, as few as there can be. */
  static List<Fact> facts(List<IssuedCertificate> certificates) {
    List<Fact> facts = new ArrayList<>();
    for (int from = 0; from < certificates.size(); from += PER_ROW) {
      List<Map<String, String>> row =
          certificates.subList(from, Math.min(from + PER_ROW, certificates.size())).stream()
              .map(IssuedCertificate::entry)
              .toList();
      facts.add(
          new Fact(AuditKind.CERTIFICATES_ISSUED, AuditEvent.UNKNOWN_ACTOR, Map.of(LIST, row)));
    }
    return facts;
  }

  private Map<String, String> entry() {
    return Map.of(SERIAL, serialNumber.hex(), REQUESTER, requester, SHA256, sha256.toString());
  }

  /** Reads them from a row's content; empty if it does not hold such a list. */
  public static Optional<List<IssuedCertificate>> parse(String content) {
    try {
      List<IssuedCertificate> read = new ArrayList<>();
      JsonNode list = JSON.readTree(content).path(LIST);
      if (!list.isArray()) {
        return Optional.empty();
      }
      for (JsonNode entry : list) {
        read.add(
            new IssuedCertificate(
                SerialNumber.parse(entry.path(SERIAL).asString()),
                entry.path(REQUESTER).asString(AuditEvent.UNKNOWN_ACTOR),
                Digest.parse(entry.path(SHA256).asString())));
      }
      return Optional.of(List.copyOf(read));
    } catch (JacksonException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
