package org.sluiceca.client.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine;

class KeysTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(names = {"EC_P256", "EC_P384", "RSA_2048", "ED25519"})
  void csr_eachKind_verifiesAndNamesWhatWasAsked(KeyKind kind) throws Exception {
    KeyPair pair = kind.generate();

    PKCS10CertificationRequest csr =
        new PKCS10CertificationRequest(
            Csr.of(
                pair,
                new X500Name("CN=www.example.com"),
                List.of(new GeneralName(GeneralName.dNSName, "www.example.com"))));

    assertThat(
            csr.isSignatureValid(new JcaContentVerifierProviderBuilder().build(pair.getPublic())))
        .isTrue();
    assertThat(csr.getSubject()).isEqualTo(new X500Name("CN=www.example.com"));
    assertThat(
            GeneralNames.fromExtensions(
                    csr.getRequestedExtensions(),
                    org.bouncycastle.asn1.x509.Extension.subjectAlternativeName)
                .getNames())
        .containsExactly(new GeneralName(GeneralName.dNSName, "www.example.com"));
  }

  @Test
  void key_writtenAndRead_theSameAndItsOwnersAlone() {
    PrivateKey key = KeyKind.EC_P256.generate().getPrivate();
    Path file = folder.resolve("www.key");

    PrivateFile.create(file, Csr.pem(key).getBytes(StandardCharsets.US_ASCII));

    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> PrivateFile.create(file, new byte[0]))
        .withMessageContaining("a key is never overwritten");
    assertThat(PemFiles.privateKey(file).getEncoded()).isEqualTo(key.getEncoded());
    assertThat(permissions(file)).isEqualTo("rw-------");
  }

  @Test
  void write_overAnOldFile_replacesItWhole() throws Exception {
    Path file = Files.writeString(folder.resolve("www.pem"), "old and longer");

    PrivateFile.writePublic(file, "new".getBytes(StandardCharsets.US_ASCII));

    assertThat(file).hasContent("new");
    assertThat(permissions(file)).isEqualTo("rw-r--r--");
  }

  @Test
  void names_ofOtherAlphabets_asTheirHostNamesOrRefused() {
    RequestedNames names = new RequestedNames();
    new CommandLine(names).parseArgs("--dns", "b\u00fccher.example,*.example.com");
    assertThat(names.alternatives())
        .extracting(name -> name.getName().toString())
        .containsExactly("xn--bcher-kva.example", "*.example.com");
    assertThat(names.subject()).hasToString("CN=xn--bcher-kva.example");

    RequestedNames mail = new RequestedNames();
    new CommandLine(mail).parseArgs("--email", "\u0163@example.com");
    assertThatExceptionOfType(Failure.class).isThrownBy(mail::alternatives);
  }

  @Test
  void privateKey_encryptedOrNone_saysWhatToDo() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("x.key"),
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n");

    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> PemFiles.privateKey(file))
        .withMessageContaining("key");
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> PemFiles.certificates(file))
        .withMessageContaining("x.key holds");
  }

  private static String permissions(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
