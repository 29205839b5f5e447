package org.sluiceca.core.fuzz;

import java.nio.charset.StandardCharsets;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;
import org.sluiceca.core.wire.jws.Base64Url;
import org.sluiceca.core.wire.jws.Jws;
import org.sluiceca.core.wire.jws.JwsException;
import org.sluiceca.core.wire.jws.PublicJwk;

/**
 * Any octets as a JWS, and as the header of one: refused by {@link JwsException}, or read as what
 * has one encoding alone.
 */
public final class JwsFuzz {

  private static final int MAX = 1 << 17;
  private static final BouncyCastleVerifier VERIFIER = new BouncyCastleVerifier();

  private JwsFuzz() {}

  /** Jazzer's entry. */
  public static void fuzzerTestOneInput(byte[] data) {
    take(data);
    String header = Base64Url.encode(data);
    take(
        ("{\"protected\":\"" + header + "\",\"payload\":\"\",\"signature\":\"AA\"}")
            .getBytes(StandardCharsets.US_ASCII));
    try {
      PublicJwk.read(JsonObject.read(data, MAX));
    } catch (JsonException | JwsException e) {
      Promise.require(e.getMessage() != null, "refused without a reason");
    }
  }

  private static void take(byte[] data) {
    try {
      Jws jws = Jws.read(data, MAX);
      String[] signed =
          new String(jws.signed().octets(), StandardCharsets.US_ASCII).split("\\.", -1);
      Promise.require(
          signed.length == 2 && Base64Url.encode(jws.payload().octets()).equals(signed[1]),
          "read, but the octets that were signed are others");
      if (jws.signer() instanceof Jws.Signer.Key(PublicJwk jwk)) {
        Promise.require(
            jwk.thumbprint().length() == 43, "a thumbprint of another length than SHA-256");
        if (jws.isSignedBy(jwk.key(), VERIFIER)) {
          Promise.require(
              !new Jws(
                      jws.algorithm(),
                      jws.signer(),
                      jws.nonce(),
                      jws.url(),
                      jws.payload(),
                      jws.signature(),
                      jws.signature())
                  .isSignedBy(jwk.key(), VERIFIER),
              "a signature verifies over other octets");
        }
      }
    } catch (JwsException e) {
      Promise.require(!e.fault().isEmpty(), "refused without a reason");
    }
  }
}
