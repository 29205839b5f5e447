package org.sluiceca.api.auth.oidc;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;
import org.sluiceca.core.wire.jws.JwsException;
import org.sluiceca.core.wire.jws.PublicJwk;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKey;

/**
 * The keys of a provider for signatures (RFC 7517 5). Those of other kinds, for other uses or too
 * weak are passed over. Immutable.
 */
record KeySet(List<Key> keys) {

  /** 64 KiB: twenty RSA keys with their certificates. */
  static final int OCTETS_MAX = 64 * 1024;

  private static final int KEYS_MAX = 64;
  private static final int RSA_BITS_MIN = 2048;
  private static final int RSA_BITS_MAX = 4096;

  /**
   * A key.
   *
   * @param algorithm the value of {@code alg}, if it is for that one alone
   */
  record Key(
      Optional<String> id, Optional<String> algorithm, PublicKeyAlgorithm kind, PublicKey key) {

    boolean fits(JwtAlgorithm other) {
      return other.fits(kind) && algorithm.map(other.text()::equals).orElse(true);
    }
  }

  static KeySet read(byte[] octets) throws JsonException {
    List<Key> keys = new ArrayList<>();
    for (JsonObject jwk : JsonObject.read(octets, OCTETS_MAX).objects("keys", KEYS_MAX)) {
      if (jwk.optionalText("use").map("sig"::equals).orElse(true)) {
        key(jwk).ifPresent(keys::add);
      }
    }
    return new KeySet(List.copyOf(keys));
  }

  private static Optional<Key> key(JsonObject jwk) throws JsonException {
    try {
      PublicJwk read = PublicJwk.read(jwk);
      if (read.key().key() instanceof SubjectPublicKey.Rsa rsa
          && (rsa.modulus().bitLength() < RSA_BITS_MIN
              || rsa.modulus().bitLength() > RSA_BITS_MAX)) {
        return Optional.empty();
      }
      PublicKeyAlgorithm kind = read.key().key().algorithm();
      return Optional.of(
          new Key(
              jwk.optionalText("kid"),
              jwk.optionalText("alg"),
              kind,
              KeyFactory.getInstance(factory(kind))
                  .generatePublic(new X509EncodedKeySpec(read.key().encoded()))));
    } catch (JwsException | GeneralSecurityException e) {
      // A key of another kind, such as one for encryption, says nothing against the others.
      return Optional.empty();
    }
  }

  private static String factory(PublicKeyAlgorithm kind) {
    return switch (kind) {
      case RSA -> "RSA";
      case EC_P256, EC_P384, EC_P521 -> "EC";
      case ED25519, ED448 -> "EdDSA";
    };
  }

  /** Returns the key of an id; without an id, the only one that fits. */
  Optional<Key> find(Optional<String> id, JwtAlgorithm algorithm) {
    List<Key> fitting =
        keys.stream()
            .filter(key -> key.fits(algorithm))
            .filter(key -> id.isEmpty() || key.id().equals(id))
            .toList();
    return fitting.size() == 1 ? Optional.of(fitting.getFirst()) : Optional.empty();
  }
}
