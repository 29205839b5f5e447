package org.sluiceca.client.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.client.http.LoopbackService;
import org.sluiceca.client.output.Failure;

/**
 * Keys and certificates on a file system without owner, group and mode, as Windows has: the JDK's
 * own for ZIP files takes its place. Of Windows it has neither access control lists nor files that
 * cannot be replaced while a process reads them.
 */
class NoPosixFilesTest {
  @TempDir private Path temporary;
  private FileSystem files;
  private Path folder;

  @BeforeEach
  void open() throws Exception {
    files = FileSystems.newFileSystem(temporary.resolve("disk.zip"), Map.of("create", "true"));
    folder = Files.createDirectory(files.getPath("/tls"));
    assertThat(files.supportedFileAttributeViews()).doesNotContain("posix");
  }

  @AfterEach
  void close() throws Exception {
    files.close();
  }

  private static byte[] octets(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private List<String> names() throws Exception {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void create_keyThatIsThere_staysAndNothingElseIsLeft() throws Exception {
    Path key = folder.resolve("www.key");
    PrivateFile.create(key, octets("first"));

    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> PrivateFile.create(key, octets("second")))
        .withMessageContaining("a key is never overwritten");

    assertThat(Files.readString(key)).isEqualTo("first");
    assertThat(names()).containsExactly("www.key");
  }

  @Test
  void write_replacesWholeFiles() throws Exception {
    Path file = folder.resolve("connections.json");
    PrivateFile.write(file, octets("longer than the next"));
    PrivateFile.write(file, octets("short"));
    PrivateFile.writePublic(folder.resolve("www.pem"), octets("certificate"));

    assertThat(Files.readString(file)).isEqualTo("short");
    assertThat(names()).containsExactly("connections.json", "www.pem");
  }

  @Test
  void pem_writtenAndReplaced_isReadAgain() throws Exception {
    IdentityFiles pem = new IdentityFiles.Pem(folder.resolve("www.pem"), folder.resolve("www.key"));
    Identity first = identity();
    pem.write(first);
    Identity second = identity();
    pem.write(second);

    Identity read = pem.read();
    read.requirePair();
    assertThat(read.certificate()).isEqualTo(second.certificate());
    assertThat(names()).containsExactly("www.key", "www.pem");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PKCS12", "JKS"})
  void store_writtenAndReplaced_isReadAgain(String type) throws Exception {
    Path password = Files.writeString(folder.resolve("pw"), "secret\r\n");
    IdentityFiles store = new IdentityFiles.Store(folder.resolve("www.store"), type, password);
    store.write(identity());
    Identity second = identity();
    store.write(second);

    Identity read = store.read();
    read.requirePair();
    assertThat(read.certificate()).isEqualTo(second.certificate());
    assertThat(names()).containsExactly("pw", "www.store");
  }

  private static Identity identity() throws Exception {
    KeyPair pair = KeyKind.EC_P256.generate();
    return new Identity(pair.getPrivate(), List.of(LoopbackService.certificate(pair)));
  }
}
