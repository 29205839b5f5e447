package org.sluiceca.api.cli.ceremony.files;

import java.time.Duration;
import java.util.List;
import org.sluiceca.api.hsm.HsmIssuerSigner;
import org.sluiceca.core.der.CsrWriter;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.signer.HsmSigner;

/** Writes a CSR for a key in a token, signed by that key (RFC 2986). */
public final class TokenCsr {

  /** RSA-4096 on a slow token takes a second; no other process is using it. */
  private static final Duration SIGN_MAX = Duration.ofSeconds(30);

  private TokenCsr() {}

  /** Writes it; blocks for half a minute at most. */
  public static CsrDer write(HsmSigner hsm, KeyRef key, DistinguishedName subject)
      throws DerException {
    SubjectPublicKeyInfo publicKey = PublicKeyReader.read(key.publicKey().der());
    SignatureAlgorithm algorithm = SignatureAlgorithm.ofIssuer(publicKey.key());
    OctetString signed = CsrWriter.write(NameCodec.write(subject), publicKey, List.of());
    OctetString signature =
        HsmIssuerSigner.sign(
            hsm, key, algorithm, signed, SignSchedule.by(System.nanoTime() + SIGN_MAX.toNanos()));
    return CsrWriter.assemble(signed, algorithm, signature);
  }
}
