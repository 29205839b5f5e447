package org.sluiceca.client.renew;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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
import org.sluiceca.client.key.KeyKind;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.shell.SchemaFile;
import picocli.CommandLine;

/** Files before and after, whatever the service answers and wherever a renewal ends. */
class RenewCommandTest {
  private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;
  private RenewingService service;
  private IdentityFiles files;
  private Instant now = START;

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
    X509Certificate first = service.first(pair, "www.example.com", "example.com");
    files.write(new Identity(pair.getPrivate(), List.of(first)));
  }

  private void at(int seconds) {
    now = START.plusSeconds(seconds);
    service.now(now);
  }

  private int renew(String... more) {
    List<String> words = new ArrayList<>(List.of("--url", service.server().url().toString()));
    words.addAll(List.of("--ca-file", service.server().root().toString(), "--wait", "0"));
    if (files instanceof IdentityFiles.Pem pem) {
      words.addAll(List.of("--cert", pem.certificateFile().toString()));
      words.addAll(List.of("--key", pem.keyFile().toString()));
    }
    words.addAll(List.of(more));
    Console console = new Console(new PrintWriter(out), new PrintWriter(err));
    InstantSource clock = () -> now;
    return new CommandLine(new RenewCommand(console, clock))
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
    return folder.resolve(".www.pem.renewal").resolve(name);
  }

  @Test
  void renew_twoThirdsOver_notSooner() throws Exception {
    X509Certificate first = certificate();
    at(59);
    assertThat(renew("--json")).isZero();
    assertThat(service.asked()).isZero();
    assertThat(out.toString())
        .contains("\"renewed\":false", "\"dueAt\":\"" + START.plusSeconds(60) + "\"");
    assertThat(SchemaFile.faults("renew", out.toString())).isEmpty();

    at(60);
    assertThat(renew()).isZero();

    X509Certificate second = certificate();
    assertThat(second.getSerialNumber()).isNotEqualTo(first.getSerialNumber());
    assertThat(second.getPublicKey()).isNotEqualTo(first.getPublicKey());
    assertThat(second.getSubjectX500Principal().getEncoded())
        .isEqualTo(first.getSubjectX500Principal().getEncoded());
    assertThat(second.getExtensionValue("2.5.29.17"))
        .isEqualTo(first.getExtensionValue("2.5.29.17"));
    assertThat(state("key.pem")).doesNotExist();
    assertThat(state("certificate.pem")).doesNotExist();
    assertThat(renew()).isZero();
    assertThat(service.count()).isEqualTo(2);
  }

  @Test
  void renew_asAsked_beforeItsEndOrAtOnce() {
    at(50);
    assertThat(renew("--renew-before", "30s")).isZero();
    assertThat(service.count()).isEqualTo(1);
    at(60);
    assertThat(renew("--renew-before", "30s")).isZero();
    assertThat(service.count()).isEqualTo(2);
    assertThat(renew("--force")).isZero();
    assertThat(service.count()).isEqualTo(3);
  }

  /** The service verifies by the documentation's table of algorithms. */
  @ParameterizedTest
  @CsvSource({"RSA,2048", "EC,256", "EC,384", "EC,521", "Ed25519,255", "Ed448,448"})
  void renew_kindOfKey_isKept(String algorithm, int bits) throws Exception {
    KeyPairGenerator pairs = KeyPairGenerator.getInstance(algorithm);
    if (!algorithm.startsWith("Ed")) {
      pairs.initialize(bits);
    }
    enroll(pairs.generateKeyPair());
    int size = certificate().getPublicKey().getEncoded().length;
    at(60);

    assertThat(renew()).as(err.toString()).isZero();

    assertThat(service.count()).isEqualTo(3);
    assertThat(certificate().getPublicKey().getEncoded()).hasSize(size);
  }

  @Test
  void renew_modesLinksAndOneFile_stay() throws Exception {
    files = new IdentityFiles.Pem(folder.resolve("live.pem"), folder.resolve("live.pem"));
    Files.createDirectory(folder.resolve("real"));
    Files.createFile(folder.resolve("real/one.pem"));
    Files.setPosixFilePermissions(
        folder.resolve("real/one.pem"), PosixFilePermissions.fromString("rw-r-----"));
    Files.createSymbolicLink(folder.resolve("live.pem"), Path.of("real/one.pem"));
    enroll(KeyKind.EC_P256.generate());
    at(60);

    assertThat(renew()).isZero();

    assertThat(service.count()).isEqualTo(3);
    assertThat(folder.resolve("live.pem")).isSymbolicLink();
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("real/one.pem"))))
        .isEqualTo("rw-r-----");
    assertThat(Files.readString(folder.resolve("live.pem")))
        .contains("BEGIN CERTIFICATE", "BEGIN PRIVATE KEY");
    certificate();
  }

  @ParameterizedTest
  @CsvSource({"PKCS12,www.p12", "JKS,www.jks"})
  void renew_keyStore_replacedWithItsPassword(String type, String name) throws Exception {
    Path password = Files.writeString(folder.resolve("password"), "pässword\nnot this\n");
    files = new IdentityFiles.Store(folder.resolve(name), type, password);
    enroll(KeyKind.EC_P256.generate());
    X509Certificate first = certificate();
    at(60);

    assertThat(renew("--store", folder.resolve(name).toString(), "--password-file", "" + password))
        .as(err.toString())
        .isZero();

    assertThat(certificate().getSerialNumber()).isNotEqualTo(first.getSerialNumber());
  }

  @Test
  void renew_answerLost_theSameCertificateNextTime() {
    at(60);
    service.next("lost");
    assertThat(renew()).isEqualTo(1);
    assertThat(certificate().getNotBefore().toInstant()).isEqualTo(START);
    assertThat(service.count()).isEqualTo(2);

    at(62);
    assertThat(renew()).isZero();

    assertThat(service.count()).isEqualTo(2);
    assertThat(certificate().getNotBefore().toInstant()).isEqualTo(START.plusSeconds(60));
  }

  /** Ended after the new certificate was kept, between the two files, or before the hook ran. */
  @Test
  void renew_endedInTheMiddle_finishedNextTimeWithoutTheService() throws Exception {
    Path ran = folder.resolve("ran");
    String key = Files.readString(files.keyFile());
    String replaced = RenewalProof.serial(certificate());
    at(60);
    assertThat(renew()).isZero();
    Identity renewed = files.read();
    try (RenewalFolder state = new RenewalFolder(files.certificateFile())) {
      state.keep(replaced, Optional.of(renewed.key()), new byte[0]);
      state.keepCertificate(renewed.chainPem());
    }
    Files.writeString(files.keyFile(), key);
    int asked = service.asked();

    assertThat(renew("--after", "echo \"$SLUICE_SERIAL\" >>" + ran)).as(err.toString()).isZero();

    assertThat(service.asked()).isEqualTo(asked);
    assertThat(certificate()).isEqualTo(renewed.certificate());
    assertThat(ran).hasContent(RenewalProof.serial(renewed.certificate()));
  }

  /** A certificate that was enrolled by hand meanwhile stays. */
  @Test
  void renew_newerCertificateInItsPlace_stays() throws Exception {
    at(60);
    assertThat(renew()).isZero();
    Identity older = files.read();
    at(70);
    enroll(KeyKind.EC_P256.generate());
    X509Certificate newer = certificate();
    try (RenewalFolder state = new RenewalFolder(files.certificateFile())) {
      state.keep("00", Optional.of(older.key()), new byte[0]);
      state.keepCertificate(older.chainPem());
    }

    assertThat(renew()).isZero();

    assertThat(certificate()).isEqualTo(newer);
    assertThat(state("certificate.pem")).doesNotExist();
  }

  /** Names, dates and beginnings that no renewal has: the old certificate is still good. */
  @ParameterizedTest
  @CsvSource({
    "CN=evil.example.com, 0, it has other names",
    "'', 90, it expired",
    "'', -600, it is valid from"
  })
  void renew_answerThatCannotReplaceIt_filesStay(String subject, int backdate, String fault) {
    X509Certificate first = certificate();
    at(60);
    service.subject(subject);
    service.backdate(Duration.ofSeconds(backdate));

    assertThat(renew()).isEqualTo(1);

    assertThat(err.toString()).contains("cannot replace the certificate", fault);
    assertThat(certificate()).isEqualTo(first);
  }

  /** A backdate that grew makes a renewed certificate begin before the one that it replaces. */
  @Test
  void renew_newOneBeginsBeforeTheOldOne_isUsed() {
    at(10);
    service.backdate(Duration.ofSeconds(20));
    assertThat(renew("--force")).as(err.toString()).isZero();
    assertThat(certificate().getNotBefore().toInstant()).isEqualTo(START.minusSeconds(10));
  }

  /** The key under two names: what is written last must not be all there is. */
  @Test
  void renew_keyIsALinkToTheCertificate_bothAreThere() throws Exception {
    Identity first = files.read();
    Files.delete(files.keyFile());
    Files.writeString(files.certificateFile(), first.chainPem() + Csr.pem(first.key()));
    Files.createSymbolicLink(files.keyFile(), Path.of("www.pem"));
    at(60);

    assertThat(renew()).isZero();

    assertThat(certificate()).isNotEqualTo(first.certificate());
  }

  /**
   * A certificate that cannot be replaced leaves its key: a server would not start with the two.
   */
  @Test
  void renew_certificateCannotBeReplaced_keyStays() throws Exception {
    Path real = Files.createDirectory(folder.resolve("real")).resolve("x".repeat(240) + ".pem");
    Files.move(files.certificateFile(), real);
    Files.createSymbolicLink(files.certificateFile(), real);
    X509Certificate first = certificate();
    at(60);

    assertThat(renew()).isEqualTo(1);

    assertThat(err.toString()).contains("cannot write");
    assertThat(certificate()).isEqualTo(first);
    Files.delete(files.certificateFile());
    Files.move(real, files.certificateFile());
    int asked = service.asked();
    assertThat(renew()).isZero();
    assertThat(service.asked()).as("what was issued is used").isEqualTo(asked);
    assertThat(certificate()).isNotEqualTo(first);
  }

  /**
   * A user who may write in the certificate's folder must not choose what a renewal reads and
   * writes.
   */
  @Test
  void renew_folderOfSomebodyElse_refused() throws Exception {
    Path planted = Files.createDirectory(folder.resolve("planted"));
    Files.createSymbolicLink(state("lock").getParent(), planted);
    at(60);
    assertThat(renew()).isEqualTo(1);
    assertThat(err.toString()).contains("is no folder");

    Files.delete(state("lock").getParent());
    Files.createDirectory(state("lock").getParent());
    Files.setPosixFilePermissions(
        state("lock").getParent(), PosixFilePermissions.fromString("rwxrwx---"));
    assertThat(renew()).isEqualTo(1);
    assertThat(err.toString()).contains("not this user's alone");
    assertThat(planted).isEmptyDirectory();
    assertThat(service.asked()).isZero();
  }

  @Test
  void renew_wouldBeDueAtEachLookOrTooLate_refused() {
    assertThat(renew("--renew-before", "90s")).isEqualTo(2);
    assertThat(renew("--force", "--every", "10s")).isEqualTo(2);
    // Due 30 s before its end: every 12 h would be too late.
    assertThat(renew("--every", "16s")).isEqualTo(2);
    assertThat(err.toString()).contains("as long as the certificate's life", "--every is too long");
    assertThat(service.asked()).isZero();
  }

  @Test
  void renew_fragmentsOfAKilledProcess_areRemoved() throws Exception {
    Path fragment = folder.resolve(".www.key.01234567-89ab-4cde-8f01-23456789abcd");
    Files.writeString(fragment, "key");
    Path other = Files.writeString(folder.resolve(".www.key.swp"), "mine");
    at(60);

    assertThat(renew()).isZero();

    assertThat(fragment).doesNotExist();
    assertThat(other).exists();
  }

  @Test
  void renew_refused_filesStayAndNoKeyIsLeft() {
    X509Certificate first = certificate();
    at(60);
    service.next("409 the certificate is revoked");

    assertThat(renew()).isEqualTo(1);

    assertThat(err.toString()).contains("the certificate is revoked");
    assertThat(certificate()).isEqualTo(first);
    assertThat(state("key.pem")).doesNotExist();
  }

  @Test
  void renew_expiredOrWrongKeyOrCredential_saysSoAndSendsNothing() throws Exception {
    at(90);
    assertThat(renew()).isEqualTo(1);
    assertThat(err.toString()).contains("has expired", "sluice enroll");
    Path token = Files.writeString(folder.resolve("token"), "t\n");
    assertThat(renew("--token-file", token.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("takes no --token-file");
    Files.writeString(files.keyFile(), Csr.pem(KeyKind.EC_P256.generate().getPrivate()));
    at(60);
    assertThat(renew()).isEqualTo(1);
    assertThat(err.toString()).contains("not the one of the certificate");

    assertThat(service.asked()).isZero();
  }

  @Test
  void hooks_failOrStay_saidAndAfterRunsAgain() throws Exception {
    at(60);
    assertThat(renew("--before", "echo no such disk; exit 3")).isEqualTo(1);
    assertThat(err.toString()).contains("--before ended with exit code 3: no such disk");
    assertThat(service.asked()).isZero();

    assertThat(renew("--after", "exit 4")).isEqualTo(1);
    assertThat(service.count()).isEqualTo(2);
    assertThat(renew("--after", "sleep 60 & wait", "--hook-limit", "1")).isEqualTo(1);
    assertThat(err.toString()).contains("--after took longer than 1 s and was ended");
    Path ran = folder.resolve("ran");
    assertThat(renew("--after", "echo $SLUICE_CERT >>" + ran)).isZero();
    assertThat(renew("--after", "echo $SLUICE_CERT >>" + ran)).isZero();

    assertThat(ran).hasContent(files.certificateFile().toString());
    assertThat(service.count()).isEqualTo(2);
  }

  @Test
  void renew_beside_another_leavesItAlone() throws Exception {
    at(60);
    Files.createDirectory(
        state("lock").getParent(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (FileChannel channel =
            FileChannel.open(state("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      assertThat(renew()).isEqualTo(1);
    }
    assertThat(err.toString()).contains("renewal");
    assertThat(service.asked()).isZero();
  }

  @Test
  void install_dryRun_printsACommandThatNeedsNoCredential() {
    assertThat(
            renew("--install", "--dry-run", "--after", "systemctl reload nginx", "--every", "10s"))
        .as(err.toString())
        .isZero();

    String pem = files.certificateFile().toString();
    assertThat(out.toString())
        .contains(
            "renew --cert " + pem, "OnUnitActiveSec=10s", "--after \"systemctl reload nginx\"")
        .doesNotContain("token");
    assertThat(service.asked()).isZero();
  }
}
