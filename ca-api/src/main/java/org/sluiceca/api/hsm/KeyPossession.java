package org.sluiceca.api.hsm;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.sluiceca.core.der.CsrWriter;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.RequestSigner;
import org.sluiceca.hsm.SignSchedule;

/** Writes CSRs for keys in tokens, signed by those keys (RFC 2986). Thread-safe. */
public final class KeyPossession {

  /** A renewal has days; a token that needs longer than this hangs. */
  private static final Duration SIGN_MAX = Duration.ofSeconds(10);

  private final RequestSigner hsm;
  private final Map<KeyName, KeyRef> keys;

  /** Signs with the key of each name in {@code keys}. */
  public KeyPossession(RequestSigner hsm, Map<KeyName, KeyRef> keys) {
    this.hsm = hsm;
    this.keys = Map.copyOf(keys);
  }

  /**
   * Writes a request of {@code subject} for the key of this name.
   *
   * @throws SignerUnavailable if there is no signature; a retry is safe
   */
  public CsrDer csr(KeyName name, NameDer subject) {
    KeyRef key = keys.get(name);
    if (key == null) {
      throw new SignerUnavailable("the key " + name + " is not here", false, null);
    }
    try {
      SubjectPublicKeyInfo publicKey = PublicKeyReader.read(key.publicKey().der());
      SignatureAlgorithm algorithm = SignatureAlgorithm.ofIssuer(publicKey.key());
      OctetString signed = CsrWriter.write(subject, publicKey, List.of());
      OctetString signature =
          HsmIssuerSigner.sign(
              hsm, key, algorithm, signed, SignSchedule.by(System.nanoTime() + SIGN_MAX.toNanos()));
      return CsrWriter.assemble(signed, algorithm, signature);
    } catch (DerException e) {
      throw new IllegalStateException("the key " + name + " is bad: " + e.fault(), e);
    }
  }
}
