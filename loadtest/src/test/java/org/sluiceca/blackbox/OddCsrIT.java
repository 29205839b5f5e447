package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Requests and keys that others collected because they are odd, sent to a running node: each is
 * issued or refused for its own reason, none is an error of ours, and none but the issued ones
 * reaches the token.
 */
@ResourceLock(TrialExtension.ONE_NODE)
class OddCsrIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final String FILE = "odd-csrs.txt";
  private static final String PROFILE = "tls-server";

  /** Of badkeys' own examples: what it finds in each, which no certificate may have. */
  private static final Set<String> WEAK =
      Set.of(
          "rsa-fermat-pkcs1.key",
          "rsa-fermat-pkcs8.key",
          "rsa-fermat.csr",
          "rsa-fermat.crt",
          "rsa-roca.key",
          "rsa-small-d.key",
          "rsa-large-e.key",
          "rsa-smallfactors-corrupt.key",
          "rsapoly32.key");

  /** The requests of cryptography-vectors with which nothing is wrong that this CA looks at. */
  private static final Set<String> SOUND =
      Set.of("ec_sha256", "ec_sha256_old_header", "rsa_sha256", "challenge-unstructured");

  @Test
  void enroll_cryptographyVectors_refusedOrIssuedNeverAnError() throws IOException {
    Path requests = installed("cryptography-vectors/cryptography_vectors/x509/requests");
    double before = signatures();
    int issued = 0;
    int sent = 0;

    for (Path file : files(requests)) {
      Answer answer = TRIAL.trial().enroller().enroll(PROFILE, Files.readAllBytes(file));
      String name = name(file).replaceAll("\\.(pem|der)$", "");

      Evidence.append(FILE, name + "  " + answer.status());
      assertThat(answer.status()).as(name).isEqualTo(SOUND.contains(name) ? 201 : refused(answer));
      issued += answer.status() == 201 ? 1 : 0;
      sent++;
    }

    assertThat(sent).isGreaterThan(20);
    assertThat(signatures() - before).isEqualTo(issued);
  }

  @Test
  void enroll_keysThatBadkeysCollected_theWeakAreRefusedAsWeak() throws IOException {
    Path examples = installed("badkeys-examples");
    double before = signatures();
    int weak = 0;

    for (Path file : files(examples)) {
      byte[] key = publicKey(file);
      if (key.length == 0) {
        continue; // openssl reads no public key in it either.
      }
      Answer answer = TRIAL.trial().enroller().enroll(PROFILE, request(key));

      Evidence.append(FILE, name(file) + "  " + answer.status() + "  " + answer.text());
      assertThat(answer.status()).as(name(file)).isEqualTo(refused(answer));
      if (WEAK.contains(name(file))) {
        assertThat(answer.text()).as(name(file)).contains("/problems/weak-key");
        weak++;
      }
    }

    assertThat(weak).isGreaterThanOrEqualTo(5);
    assertThat(signatures()).isEqualTo(before);
  }

  @Test
  void badkeys_onWhatWasIssued_findsNothing() {
    Path badkeys = Checkout.tool("badkeys").orElse(null);
    assumeTrue(badkeys != null, "badkeys is not installed: ./sluice test installs it");
    Path folder = TRIAL.trial().folder();
    for (Csr.KeyType type : Csr.KeyType.values()) {
      Csr csr = Csr.openssl(folder, type, "bad-keys.example.com");
      Answer answer = TRIAL.trial().enroller().enroll(PROFILE, read(csr.pem()));
      assertThat(answer.status()).as(answer.text()).isEqualTo(201);

      assertThat(verdict(badkeys, csr.pem())).as(type.name()).contains("\"results\": {}");
    }
    // A checker that finds nothing anywhere would pass too.
    Path fermat = installed("badkeys-examples").resolve("rsa-fermat.csr");
    assertThat(verdict(badkeys, fermat)).contains("\"results\": {\"fermat\"");
  }

  /** All checks that need no list from the net. */
  private static String verdict(Path badkeys, Path file) {
    String checks = "fermat,roca,rsainvalid,rsapoly,sharedprimes,smalld,smallfactors";
    return new String(
        Program.of(badkeys, "-j", "-a", "-c", checks, file).run().bytes(), StandardCharsets.UTF_8);
  }

  /** A refusal for cause is 400 or 422; anything else fails by its own number. */
  private static int refused(Answer answer) {
    return answer.status() == 400 ? 400 : 422;
  }

  private static Path installed(String name) {
    Path path = Checkout.collection(name);
    assumeTrue(Files.isDirectory(path), name + " is not installed: ./sluice test installs it");
    return path;
  }

  private static List<Path> files(Path folder) throws IOException {
    // A walk that begins at a symbolic link does not follow it.
    try (Stream<Path> all = Files.walk(folder.toRealPath())) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new AssertionError(file.toString(), e);
    }
  }

  /** What openssl makes of a private key, a public key, a request or a certificate; or nothing. */
  private static byte[] publicKey(Path file) {
    for (List<String> words :
        List.of(
            List.of("pkey", "-pubin", "-pubout"),
            List.of("pkey", "-pubout"),
            List.of("req", "-pubkey", "-noout"),
            List.of("x509", "-pubkey", "-noout"))) {
      Object[] command =
          Stream.of(Stream.of("openssl"), words.stream(), Stream.of("-in", file.toString()))
              .flatMap(s -> s)
              .toArray();
      Program.Ended ended = Program.of(command).run();
      String pem = new String(ended.bytes(), StandardCharsets.US_ASCII);
      if (pem.startsWith("-----BEGIN PUBLIC KEY-----")) {
        return Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
      }
    }
    return new byte[0];
  }

  /** A request for this key; no test holds it, so the signature is one of zeros. */
  private static byte[] request(byte[] key) {
    byte[] info = tlv(0x30, hex("020100"), hex("3000"), key, hex("a000"));
    return tlv(0x30, info, hex("300506032b6570"), tlv(0x03, new byte[65]));
  }

  private static byte[] tlv(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.size();
    if (length < 0x80) {
      out.write(length);
    } else {
      out.writeBytes(hex(length < 0x100 ? "81%02x".formatted(length) : "82%04x".formatted(length)));
    }
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static double signatures() {
    return new NodeProcess(TRIAL.trial()).certificateSignatures();
  }
}
