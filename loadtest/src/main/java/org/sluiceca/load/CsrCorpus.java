package org.sluiceca.load;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.pkcs.Attribute;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.bouncycastle.asn1.pkcs.CertificationRequestInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * Certification requests (RFC 2986) in base64, each with a P-256 key, a name and a subjectAltName
 * of its own; those with RSA keys share some. Keys are discarded, as the certificates are not used.
 *
 * <p>{@code CsrCorpus COUNT FILE} writes them one a line; some 3,000 requests/s on one core.
 */
public final class CsrCorpus {

  /** A corpus of 500 MB; that is enough to keep a cache from helping. */
  private static final int COUNT_MAX = 1_000_000;

  /** A key of RSA takes a tenth of a second, or three. */
  private static final int RSA_KEYS = 50;

  private static final AlgorithmIdentifier ECDSA =
      new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);

  /** RFC 4055 5: parameters are NULL. */
  private static final AlgorithmIdentifier RSA =
      new AlgorithmIdentifier(PKCSObjectIdentifiers.sha256WithRSAEncryption, DERNull.INSTANCE);

  private CsrCorpus() {}

  /** Writes a file of requests. */
  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    Locale.setDefault(Locale.ROOT);
    int count = arguments.length == 2 ? Integer.parseInt(arguments[0]) : 0;
    if (count < 1 || count > COUNT_MAX) {
      System.err.println("usage: CsrCorpus COUNT FILE, COUNT from 1 to " + COUNT_MAX);
      System.exit(2);
    }
    try (Writer file = Files.newBufferedWriter(Path.of(arguments[1]))) {
      for (String request : make(count)) {
        file.write(request);
        file.write('\n');
      }
    }
  }

  /** Makes {@code count} requests. */
  public static List<String> make(int count) throws IOException, GeneralSecurityException {
    return make(count, false);
  }

  /** Makes {@code count} requests with keys of P-256, or with RSA-2048 keys that they share. */
  public static List<String> make(int count, boolean isRsa)
      throws IOException, GeneralSecurityException {
    KeyPairGenerator keys = KeyPairGenerator.getInstance(isRsa ? "RSA" : "EC");
    if (isRsa) {
      keys.initialize(2048);
    } else {
      keys.initialize(new ECGenParameterSpec("secp256r1"));
    }
    List<KeyPair> made = new ArrayList<>();
    Base64.Encoder base64 = Base64.getEncoder();
    List<String> requests = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      KeyPair key = isRsa && i >= RSA_KEYS ? made.get(i % RSA_KEYS) : keys.generateKeyPair();
      if (isRsa && i < RSA_KEYS) {
        made.add(key);
      }
      requests.add(base64.encodeToString(request(key, name(i), isRsa)));
    }
    return requests;
  }

  /** Returns how many keys {@code count} requests have. */
  public static int keys(int count, boolean isRsa) {
    return isRsa ? Math.min(count, RSA_KEYS) : count;
  }

  /** Returns the common name and only subjectAltName of the request with that number, from 0. */
  public static String name(int i) {
    return "host-" + i + ".bench.example";
  }

  /** Makes one request of a key of P-256 for a DNS name, in DER. */
  public static byte[] request(KeyPair key, String name)
      throws IOException, GeneralSecurityException {
    return request(key, name, false);
  }

  private static byte[] request(KeyPair key, String name, boolean isRsa)
      throws IOException, GeneralSecurityException {
    CertificationRequestInfo info =
        info(SubjectPublicKeyInfo.getInstance(key.getPublic().getEncoded()), name);
    Signature signature = Signature.getInstance(isRsa ? "SHA256withRSA" : "SHA256withECDSA");
    signature.initSign(key.getPrivate());
    signature.update(info.getEncoded(ASN1Encoding.DER));
    return new CertificationRequest(info, isRsa ? RSA : ECDSA, new DERBitString(signature.sign()))
        .getEncoded(ASN1Encoding.DER);
  }

  /** Returns what a request of this key for a DNS name has signed. */
  public static CertificationRequestInfo info(SubjectPublicKeyInfo key, String name)
      throws IOException {
    ExtensionsGenerator extensions = new ExtensionsGenerator();
    extensions.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(new GeneralName(GeneralName.dNSName, name)));
    return new CertificationRequestInfo(
        new X500Name("CN=" + name),
        key,
        new DERSet(
            new Attribute(
                    PKCSObjectIdentifiers.pkcs_9_at_extensionRequest,
                    new DERSet(extensions.generate()))
                .toASN1Primitive()));
  }
}
