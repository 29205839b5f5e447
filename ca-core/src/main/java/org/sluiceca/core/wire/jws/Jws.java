package org.sluiceca.core.wire.jws;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.sluiceca.core.der.EcdsaSignature;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;
import org.sluiceca.core.wire.jws.JwsException.Kind;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * A message in the flattened JSON form of JWS (RFC 7515 7.2.2) with the header that RFC 8555 6.2
 * asks for. Nothing in it is true before {@link #isSignedBy} or {@link #isSealedBy} says so.
 * Immutable.
 *
 * @param algorithm the value of {@code alg}, whatever it is
 * @param signer who says that it signed
 * @param nonce the value of {@code nonce}; empty if there is none
 * @param url the value of {@code url}
 * @param payload as it was signed; empty for POST-as-GET (RFC 8555 6.3)
 * @param signed the octets under the signature
 * @param signature as it came
 */
public record Jws(
    String algorithm,
    Signer signer,
    Optional<String> nonce,
    String url,
    OctetString payload,
    OctetString signed,
    OctetString signature) {

  /** The longest header in octets: a key of RSA-8192 has 1,500. */
  private static final int HEADER_OCTETS_MAX = 8 * 1024;

  /** No URL, nonce or account of this server is longer. */
  private static final int TEXT_CHARACTERS_MAX = 512;

  /** RFC 7515 4.1.11, RFC 7797 3, RFC 7516 4.1.3: what changes the meaning of the others. */
  private static final List<String> CHANGING = List.of("crit", "b64", "zip");

  /** RFC 8555 6.5.1. */
  private static final Pattern NONCE = Pattern.compile("[A-Za-z0-9_-]+");

  /** By which key a message says that it was signed; exactly one of the two. */
  public sealed interface Signer {

    /** The key itself: {@code jwk}. */
    record Key(PublicJwk jwk) implements Signer {}

    /** The name of an account or of a credential: {@code kid}. */
    record Named(String kid) implements Signer {}
  }

  /**
   * Reads a message.
   *
   * @param octets at most {@code octetsMax}
   */
  public static Jws read(byte[] octets, int octetsMax) throws JwsException {
    try {
      return read(JsonObject.read(octets, octetsMax));
    } catch (JsonException e) {
      throw JwsException.of("the JWS", e);
    }
  }

  /** Reads a message that is a member of another one. */
  public static Jws read(JsonObject jws) throws JwsException {
    try {
      // RFC 8555 6.2: no header but the protected one, and one signature.
      if (jws.names().contains("header") || jws.names().contains("signatures")) {
        throw JwsException.malformed(
            "the JWS must have one signature and a protected header alone (RFC 8555 6.2)");
      }
      String header = jws.text("protected");
      String payload = jws.text("payload");
      JsonObject members =
          JsonObject.read(Base64Url.decode("protected", header), HEADER_OCTETS_MAX);
      for (String changing : CHANGING) {
        if (members.names().contains(changing)) {
          throw JwsException.malformed("the header has " + changing + ", which is not supported");
        }
      }
      return new Jws(
          bounded(members, "alg").orElseThrow(() -> missing("alg")),
          signer(members),
          nonce(members),
          bounded(members, "url").orElseThrow(() -> missing("url")),
          OctetString.copyOf(Base64Url.decode("payload", payload)),
          OctetString.copyOf((header + "." + payload).getBytes(StandardCharsets.US_ASCII)),
          OctetString.copyOf(Base64Url.decode("signature", jws.text("signature"))));
    } catch (JsonException e) {
      throw JwsException.of("the JWS", e);
    }
  }

  private static Signer signer(JsonObject header) throws JwsException, JsonException {
    Optional<JsonObject> jwk = header.optionalObject("jwk");
    Optional<String> kid = bounded(header, "kid");
    if (jwk.isPresent() == kid.isPresent()) {
      throw JwsException.malformed("the header must have either jwk or kid (RFC 8555 6.2)");
    }
    return jwk.isPresent()
        ? new Signer.Key(PublicJwk.read(jwk.get()))
        : new Signer.Named(kid.orElseThrow());
  }

  /** RFC 8555 6.5.2: of another encoding it makes the JWS malformed; it is no old nonce. */
  private static Optional<String> nonce(JsonObject header) throws JwsException, JsonException {
    Optional<String> nonce = bounded(header, "nonce");
    if (nonce.isPresent() && !NONCE.matcher(nonce.get()).matches()) {
      throw JwsException.malformed("the header's nonce is not base64url (RFC 8555 6.5.2)");
    }
    return nonce;
  }

  private static Optional<String> bounded(JsonObject header, String name)
      throws JwsException, JsonException {
    Optional<String> text = header.optionalText(name);
    if (text.isPresent() && (text.get().isEmpty() || text.get().length() > TEXT_CHARACTERS_MAX)) {
      throw JwsException.malformed(
          "the header's " + name + " must have 1 to " + TEXT_CHARACTERS_MAX + " characters");
    }
    return text;
  }

  private static JwsException missing(String name) {
    return JwsException.malformed("the header has no " + name);
  }

  /**
   * Returns whether the signature is by {@code key}; costs one verification.
   *
   * @throws JwsException without a verification: ALGORITHM_NOT_SUPPORTED if the algorithm is none
   *     of {@link JwsAlgorithm}, KEY_NOT_SUPPORTED if it is not that of the key
   */
  public boolean isSignedBy(SubjectPublicKeyInfo key, SignatureVerifier verifier)
      throws JwsException {
    JwsAlgorithm named =
        JwsAlgorithm.of(algorithm)
            .orElseThrow(() -> notSupported("alg is not supported: use " + JwsAlgorithm.names()));
    if (!named.fits(key.key().algorithm())) {
      // RFC 8555 6.2: the algorithm is taken, this key is not one for it.
      throw new JwsException(
          Kind.KEY_NOT_SUPPORTED,
          named.jwsName() + " is not the algorithm of a key of " + key.key().algorithm());
    }
    return verifiable(named)
        .map(octets -> verifier.verifies(key, named.signature(), signed, octets))
        .orElse(false);
  }

  /** RFC 7518 3.4: r and s, each as long as the order of the curve. */
  private Optional<OctetString> verifiable(JwsAlgorithm named) {
    if (named.ecdsaOctets() == 0) {
      return Optional.of(signature);
    }
    return signature.length() == named.ecdsaOctets()
        ? Optional.of(EcdsaSignature.ofPlain(signature.octets()))
        : Optional.empty();
  }

  /**
   * Returns whether the signature is a MAC by {@code secret}, as that of an external account
   * binding is (RFC 8555 7.3.4).
   *
   * @param secret one octet or more
   * @throws JwsException ALGORITHM_NOT_SUPPORTED if the algorithm is none of {@link MacAlgorithm}
   */
  public boolean isSealedBy(OctetString secret) throws JwsException {
    MacAlgorithm named =
        MacAlgorithm.of(algorithm)
            .orElseThrow(() -> notSupported("alg of a binding must be HS256, HS384 or HS512"));
    return named.hmac().verifies(secret, signed, signature);
  }

  private static JwsException notSupported(String fault) {
    return new JwsException(Kind.ALGORITHM_NOT_SUPPORTED, fault);
  }
}
