package org.sluiceca.core.bench.machine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/** Signatures by distinct keys of one kind, to be verified in turn. Used by one thread. */
final class Verifications {

  /** Enough that no cache of a library holds them; RSA keys take their time to make. */
  private static final int EC_KEYS = 256;

  private static final int RSA_KEYS = 16;

  /** As long as what is signed of a usual certification request. */
  private static final int MESSAGE = 300;

  private record Signed(SubjectPublicKeyInfo key, OctetString message, OctetString signature) {}

  private final SignatureVerifier verifier;
  private final SignatureAlgorithm algorithm;
  private final List<Signed> signed = new ArrayList<>();
  private int next;

  /** Makes them; {@code kind} such as ec-p256. */
  Verifications(String kind, SignatureVerifier verifier) {
    this.verifier = verifier;
    int keys = kind.startsWith("rsa") ? RSA_KEYS : EC_KEYS;
    SignatureAlgorithm used = SignatureAlgorithm.ECDSA_SHA256;
    for (int i = 0; i < keys; i++) {
      SoftwareKey key = SoftwareKey.generate(kind);
      used = SignatureAlgorithm.ofIssuer(key.publicKey().key());
      OctetString message =
          OctetString.copyOf(
              (i + "x".repeat(MESSAGE)).substring(0, MESSAGE).getBytes(StandardCharsets.US_ASCII));
      signed.add(new Signed(key.publicKey(), message, key.sign(used, message)));
    }
    algorithm = used;
  }

  /** Verifies the next one; returns whether it is right, which it is. */
  boolean one() {
    next = next + 1 == signed.size() ? 0 : next + 1;
    Signed it = signed.get(next);
    return verifier.verifies(it.key(), algorithm, it.message(), it.signature());
  }

  /** Returns whether one by another key is taken, which it must not be. */
  boolean isFooled() {
    return verifier.verifies(
        signed.getFirst().key(),
        algorithm,
        signed.getLast().message(),
        signed.getLast().signature());
  }
}
