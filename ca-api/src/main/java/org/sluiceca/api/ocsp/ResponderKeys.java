package org.sluiceca.api.ocsp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.sluiceca.api.ocsp.store.RegisteredResponder;
import org.sluiceca.core.ocsp.Responder;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.SubjectPublicKeyInfo;

/**
 * The keys of the OCSP responders that were registered when the node started. None is required: a
 * node without them issues, and OCSP says "try later".
 */
public record ResponderKeys(Map<IssuerName, KeyRef> byIssuer) {

  public ResponderKeys {
    byIssuer = Map.copyOf(byIssuer);
  }

  /**
   * Takes the newest of each issuer.
   *
   * @param registered newest first
   */
  public static ResponderKeys of(List<RegisteredResponder> registered) {
    Map<IssuerName, KeyRef> keys = new LinkedHashMap<>();
    for (RegisteredResponder row : registered) {
      KeyRef _ =
          keys.putIfAbsent(
              row.issuer(),
              new KeyRef(
                  CkaId.of(row.key().ckaId().octets()),
                  SubjectPublicKeyInfo.of(row.subjectPublicKeyInfo().octets())));
    }
    return new ResponderKeys(keys);
  }

  public Map<KeyName, KeyRef> byName() {
    return byIssuer.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(e -> Responder.keyOf(e.getKey()), Map.Entry::getValue));
  }

  public Map<IssuerName, OctetString> publicKeys() {
    return byIssuer.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, e -> OctetString.copyOf(e.getValue().publicKey().der())));
  }
}
