package org.sluiceca.load.scenario.run;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import org.sluiceca.load.CsrCorpus;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.scenario.wire.Terms;
import org.sluiceca.load.soak.OcspClient;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.TrialNodes;

/** What a client of a trial needs to be believed, and to believe. Each call blocks for seconds. */
final class Identities {

  /** The product's serial numbers have 19 octets, the first from 01 to 7F (docs/adr/0004). */
  private static final int SERIAL_OCTETS = 19;

  private final TrialNodes trial;
  private final Path folder;

  /** Of a trial; writes into {@code folder}. */
  Identities(TrialNodes trial, Path folder) {
    this.trial = trial;
    this.folder = folder;
  }

  /** Writes a truststore that has the trial's root alone. */
  Path trustStore() throws IOException, GeneralSecurityException {
    KeyStore store = empty();
    try (InputStream root = Files.newInputStream(trial.file("root.pem"))) {
      store.setCertificateEntry(
          "root", CertificateFactory.getInstance("X.509").generateCertificate(root));
    }
    return write(store, "trust.p12");
  }

  /**
   * Enrolls a client certificate, registers it for a requester, and writes it with its key.
   *
   * @throws TrialException if node 0 refuses either
   */
  Path keyStore(String requester, String profile, NodeAddresses doors)
      throws IOException, GeneralSecurityException {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
    keys.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair key = keys.generateKeyPair();
    String chain = doors.enroll("tls-client", CsrCorpus.request(key, "client.bench.example"));
    Collection<? extends Certificate> certificates =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(
                new ByteArrayInputStream(chain.getBytes(StandardCharsets.US_ASCII)));
    doors.register(requester, profile, pem(List.copyOf(certificates).getFirst()));
    KeyStore store = empty();
    store.setKeyEntry(
        "client",
        key.getPrivate(),
        Terms.STORE_PASSWORD.toCharArray(),
        certificates.toArray(Certificate[]::new));
    return write(store, "client-" + requester + ".p12");
  }

  /** Returns an OCSP request in base64 that ends with the serial number (RFC 6960 4.1.1). */
  String ocspQuestion() throws IOException, GeneralSecurityException {
    String serial = "01" + "00".repeat(SERIAL_OCTETS - 1);
    return Base64.getEncoder().encodeToString(new OcspClient(trial.issuer()).request(serial));
  }

  private static String pem(Certificate certificate) throws GeneralSecurityException {
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded())
        + "\n-----END CERTIFICATE-----\n";
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private Path write(KeyStore store, String name) throws IOException, GeneralSecurityException {
    Path file = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, Terms.STORE_PASSWORD.toCharArray());
    }
    return file;
  }
}
