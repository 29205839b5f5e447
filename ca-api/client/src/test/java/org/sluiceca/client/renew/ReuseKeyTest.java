package org.sluiceca.client.renew;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.client.key.Csr;
import org.sluiceca.client.key.Identity;
import org.sluiceca.client.key.IdentityFiles;
import org.sluiceca.client.key.IdentityOptions;
import org.sluiceca.client.key.KeyKind;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine;

/** {@code renew --reuse-key}: another certificate, the same key, and no second copy of that key. */
class ReuseKeyTest {
  private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");
  private static final Instant DUE = START.plusSeconds(60);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;
  private RenewingService service;
  private IdentityFiles files;

  @BeforeEach
  void start() throws Exception {
    service = new RenewingService(folder, START);
    files = new IdentityFiles.Pem(folder.resolve("www.pem"), folder.resolve("www.key"));
    enroll(KeyKind.EC_P256.generate());
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private void enroll(KeyPair pair) throws Exception {
    service.now(START);
    X509Certificate first = service.first(pair, "www.example.com", "example.com");
    files.write(new Identity(pair.getPrivate(), List.of(first)));
    service.now(DUE);
  }

  private int renew(String... more) {
    List<String> words = new ArrayList<>(List.of("--url", service.server().url().toString()));
    words.addAll(List.of("--ca-file", service.server().root().toString(), "--wait", "0"));
    IdentityOptions.words(files).forEach((name, value) -> words.addAll(List.of(name, value)));
    words.addAll(List.of(more));
    Console console = new Console(new PrintWriter(out), new PrintWriter(err));
    return new CommandLine(new RenewCommand(console, () -> DUE))
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              console.fail(String.valueOf(e.getMessage()));
              return e instanceof Failure failure ? failure.exitCode() : 99;
            })
        .execute(words.toArray(String[]::new));
  }

  private X509Certificate certificate() {
    Identity identity = files.read();
    identity.requirePair();
    return identity.certificate();
  }

  private Path state(String name) {
    Path certificate = files.certificateFile();
    return certificate.resolveSibling("." + certificate.getFileName() + ".renewal").resolve(name);
  }

  private void assertRenewedWith(PublicKey key) {
    assertThat(certificate().getNotBefore().toInstant()).isEqualTo(DUE);
    assertThat(certificate().getPublicKey()).isEqualTo(key);
    assertThat(state("request.pem")).doesNotExist();
    assertThat(state("key.pem")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"RSA,2048", "EC,384", "Ed25519,255"})
  void reuse_pem_fileOfTheKeyIsUntouched(String algorithm, int bits) throws Exception {
    KeyPairGenerator pairs = KeyPairGenerator.getInstance(algorithm);
    if (!algorithm.startsWith("Ed")) {
      pairs.initialize(bits);
    }
    enroll(pairs.generateKeyPair());
    PublicKey key = certificate().getPublicKey();
    String text = "# mine\n" + Files.readString(files.keyFile());
    Files.writeString(files.keyFile(), text);
    Files.setPosixFilePermissions(files.keyFile(), PosixFilePermissions.fromString("r--------"));
    Object inode = Files.getAttribute(files.keyFile(), "unix:ino");

    assertThat(renew("--reuse-key")).as(err.toString()).isZero();

    assertRenewedWith(key);
    assertThat(files.keyFile()).content().isEqualTo(text);
    assertThat(Files.getAttribute(files.keyFile(), "unix:ino")).isEqualTo(inode);
  }

  @ParameterizedTest
  @CsvSource({"PKCS12,www.p12", "JKS,www.jks"})
  void reuse_keyStore_sameKey(String type, String name) throws Exception {
    Path password = Files.writeString(folder.resolve("password"), "secret-word\n");
    files = new IdentityFiles.Store(folder.resolve(name), type, password);
    enroll(KeyKind.RSA_2048.generate());
    PublicKey key = certificate().getPublicKey();

    service.next("lost");
    assertThat(renew("--reuse-key")).isEqualTo(1);
    // The store's key is nowhere without its password, not even until the next run.
    assertThat(state("key.pem")).doesNotExist();
    assertThat(state("request.pem")).content(StandardCharsets.US_ASCII).doesNotContain("PRIVATE");
    assertThat(renew("--reuse-key")).as(err.toString()).isZero();

    assertRenewedWith(key);
    assertThat(service.count()).as("a lost answer costs no second certificate").isEqualTo(3);
  }

  @Test
  void reuse_oneFile_hasBoth() throws Exception {
    files = new IdentityFiles.Pem(folder.resolve("one.pem"), folder.resolve("one.pem"));
    enroll(KeyKind.EC_P256.generate());
    PublicKey key = certificate().getPublicKey();

    assertThat(renew("--reuse-key")).as(err.toString()).isZero();

    assertRenewedWith(key);
  }

  /** What was asked for last counts: pinned keys must not change by a try before. */
  @Test
  void reuse_afterALostTryWithANewKeyAndBack_theKeyThatIsAskedFor() {
    PublicKey key = certificate().getPublicKey();
    service.next("lost");
    assertThat(renew()).isEqualTo(1);
    assertThat(state("key.pem")).exists();
    service.next("lost");
    assertThat(renew("--reuse-key")).isEqualTo(1);
    assertThat(state("key.pem")).doesNotExist();

    assertThat(renew("--reuse-key")).as(err.toString()).isZero();
    assertRenewedWith(key);

    service.next("lost");
    assertThat(renew("--reuse-key", "--force")).isEqualTo(1);
    assertThat(renew("--force")).isZero();
    assertThat(certificate().getPublicKey()).isNotEqualTo(key);
  }

  @Test
  void reuse_endedBeforeTheFileWasReplaced_finishedNextTimeWithoutTheService() throws Exception {
    Identity old = files.read();
    assertThat(renew("--reuse-key")).isZero();
    Identity renewed = files.read();
    files.write(old);
    keep(old, renewed);
    int asked = service.asked();

    assertThat(renew("--reuse-key")).as(err.toString()).isZero();

    assertThat(service.asked()).isEqualTo(asked);
    assertRenewedWith(old.certificate().getPublicKey());
  }

  /** Another key in its place: what was kept for the old one is of no use, and blocks nothing. */
  @Test
  void reuse_anotherKeyInItsPlaceMeanwhile_stays() throws Exception {
    Identity old = files.read();
    assertThat(renew("--reuse-key")).isZero();
    Identity renewed = files.read();
    enroll(KeyKind.EC_P256.generate());
    PublicKey other = certificate().getPublicKey();
    keep(old, renewed);

    assertThat(renew("--reuse-key")).as(err.toString()).isZero();

    assertRenewedWith(other);
  }

  private void keep(Identity old, Identity renewed) {
    try (RenewalFolder state = new RenewalFolder(files.certificateFile())) {
      state.keep(RenewalProof.serial(old.certificate()), Optional.empty(), new byte[0]);
      state.keepCertificate(renewed.chainPem());
    }
  }

  @Test
  void reuse_refusedByTheService_saidAndFilesStay() throws Exception {
    X509Certificate first = certificate();
    String key = Files.readString(files.keyFile());
    service.next("422 a certificate with this public key was revoked as keyCompromise");

    assertThat(renew("--reuse-key")).isEqualTo(1);

    assertThat(err.toString()).contains("was revoked as keyCompromise");
    assertThat(certificate()).isEqualTo(first);
    assertThat(files.keyFile()).hasContent(key);
    assertThat(state("request.pem")).doesNotExist();
  }

  @Test
  void reuse_wrongKey_saysSoAndSendsNothing() throws Exception {
    Files.writeString(files.keyFile(), Csr.pem(KeyKind.EC_P256.generate().getPrivate()));

    assertThat(renew("--reuse-key")).isEqualTo(1);

    assertThat(err.toString()).contains("not the one of the certificate");
    assertThat(service.asked()).isZero();
  }

  @Test
  void reuse_installed_isInTheTimersCommand() {
    assertThat(renew("--reuse-key", "--install", "--dry-run")).as(err.toString()).isZero();
    assertThat(out.toString()).contains(" --reuse-key ");

    out.getBuffer().setLength(0);
    assertThat(renew("--install", "--dry-run")).isZero();
    assertThat(out.toString()).doesNotContain("--reuse-key");
  }
}
