package org.sluiceca.client.renew;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.sluiceca.client.http.LoopbackService;
import org.sluiceca.client.key.Csr;
import org.sluiceca.client.key.KeyKind;
import org.sluiceca.client.key.PemFiles;

/**
 * A service that renews as docs/protocols/REST.md says, written from that page alone: it verifies
 * proofs by the certificates that it has issued, and repeats its answer to a repeated proof.
 */
final class RenewingService implements AutoCloseable {
  private static final Pattern PATH = Pattern.compile("/v1/certificates/([0-9a-f]{38})/renewal");
  private static final Pattern PROOF = Pattern.compile("time=([0-9]+), signature=:([^:]+):");
  private static final X500Name CA = new X500Name("CN=renewing");

  private final KeyPair ca = KeyKind.EC_P256.generate();
  private final Map<String, X509Certificate> issued = new HashMap<>();
  private final Map<String, String> answered = new HashMap<>();
  private final List<String> next = new ArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();
  private final LoopbackService server;
  private Instant now;
  private Duration backdate = Duration.ZERO;
  private String subject = "";

  RenewingService(Path folder, Instant now) throws Exception {
    this.now = now;
    this.server = new LoopbackService(folder, this::handle);
  }

  LoopbackService server() {
    return server;
  }

  void now(Instant now) {
    this.now = now;
  }

  /** From now on certificates begin so long ago, or, negative, later. */
  void backdate(Duration backdate) {
    this.backdate = backdate;
  }

  /** From now on all certificates are for this subject. */
  void subject(String subject) {
    this.subject = subject;
  }

  /** How many certificates there are. */
  int count() {
    return issued.size();
  }

  /** How many requests were sent. */
  int asked() {
    return asked.get();
  }

  /** The next request is refused so: status, and the detail; one that it "loses" is issued. */
  void next(String answer) {
    next.add(answer);
  }

  /** The first one, of 90 s. */
  X509Certificate first(KeyPair pair, String... hosts) throws Exception {
    List<org.bouncycastle.asn1.x509.GeneralName> names = new ArrayList<>();
    for (String host : hosts) {
      names.add(
          new org.bouncycastle.asn1.x509.GeneralName(
              org.bouncycastle.asn1.x509.GeneralName.dNSName, host));
    }
    return certify(
        new PKCS10CertificationRequest(
            Csr.of(pair, new X500Name("CN=" + hosts[0] + ",O=Ünits"), names)));
  }

  private X509Certificate certify(PKCS10CertificationRequest csr)
      throws IOException, GeneralSecurityException, OperatorCreationException {
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            CA,
            BigInteger.valueOf(0xa0_0000 + issued.size()),
            Date.from(now.minus(backdate)),
            Date.from(now.minus(backdate).plusSeconds(90)),
            subject.isEmpty() ? csr.getSubject() : new X500Name(subject),
            new JcaPKCS10CertificationRequest(csr).getPublicKey());
    Extensions extensions =
        Extensions.getInstance(
            csr.getAttributes(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest)[0]
                .getAttrValues()
                .getObjectAt(0));
    builder.addExtension(
        extensions.getExtension(org.bouncycastle.asn1.x509.Extension.subjectAlternativeName));
    X509Certificate certificate =
        new JcaX509CertificateConverter()
            .getCertificate(
                builder.build(
                    new JcaContentSignerBuilder("SHA256withECDSA").build(ca.getPrivate())));
    issued.put("%038x".formatted(certificate.getSerialNumber()), certificate);
    return certificate;
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] csr = exchange.getRequestBody().readAllBytes();
    asked.incrementAndGet();
    Matcher path = PATH.matcher(exchange.getRequestURI().getPath());
    String proof = exchange.getRequestHeaders().getFirst("Sluice-Proof");
    boolean credential = exchange.getRequestHeaders().containsKey("Authorization");
    String planned = next.isEmpty() ? "" : next.removeFirst();
    if (planned.matches("[0-9]{3} .*")) {
      answer(exchange, Integer.parseInt(planned.substring(0, 3)), planned.substring(4));
    } else if (!path.matches() || credential || !verifies(path.group(1), proof, csr)) {
      answer(exchange, 401, "the proof does not verify");
    } else {
      String chain = renewed(path.group(1), csr, proof);
      if (planned.equals("lost")) {
        exchange.close();
      } else {
        exchange.getResponseHeaders().add("Location", "/v1/certificates/2a");
        send(exchange, 201, chain);
      }
    }
  }

  private String renewed(String serial, byte[] csr, String proof) {
    String request = serial + proof.substring(0, proof.indexOf(',')) + sha256(csr);
    return answered.computeIfAbsent(
        request,
        r -> {
          try {
            X509Certificate certificate = certify(new PKCS10CertificationRequest(csr));
            return PemFiles.block("CERTIFICATE", certificate.getEncoded());
          } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private boolean verifies(String serial, String header, byte[] csr) {
    Matcher proof = PROOF.matcher(header);
    X509Certificate certificate = issued.get(serial);
    if (!proof.matches() || certificate == null) {
      return false;
    }
    long time = Long.parseLong(proof.group(1));
    String text =
        "sluice-renewal-proof-v1\n%s\n%s\n%d\n%s\n"
            .formatted(server.url(), serial, time, sha256(csr));
    try {
      Signature signature = signature(certificate.getPublicKey());
      signature.initVerify(certificate.getPublicKey());
      signature.update(text.getBytes(StandardCharsets.US_ASCII));
      return Math.abs(now.getEpochSecond() - time) <= 300
          && signature.verify(Base64.getDecoder().decode(proof.group(2)));
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static Signature signature(PublicKey key) throws GeneralSecurityException {
    if (key.getAlgorithm().equals("RSA")) {
      Signature signature = Signature.getInstance("RSASSA-PSS");
      signature.setParameter(
          new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
      return signature;
    }
    if (key instanceof ECKey curve) {
      return Signature.getInstance(
          switch (curve.getParams().getOrder().bitLength()) {
            case 256 -> "SHA256withECDSA";
            case 384 -> "SHA384withECDSA";
            default -> "SHA512withECDSA";
          });
    }
    return Signature.getInstance(key.getAlgorithm());
  }

  private static void answer(HttpExchange exchange, int status, String detail) throws IOException {
    send(exchange, status, "{\"title\":\"no\",\"detail\":\"" + detail + "\"}");
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] octets = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, octets.length);
    exchange.getResponseBody().write(octets);
    exchange.close();
  }

  private static String sha256(byte[] octets) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
