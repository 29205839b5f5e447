package org.sluiceca.api.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.cli.setup.SetupPlace.Ended;

/** Files of another database, token or root, which were left in the folder. */
@Timeout(120)
class SetupStaleFilesTest {

  @TempDir private Path folder;

  private SetupPlace other;
  private SetupPlace place;

  @BeforeEach
  void prepare() {
    other = SetupPlace.in(folder);
    place = SetupPlace.in(folder);
    assertThat(other.run(other.words("--subject", "CN=Rehearsal CA")).code()).isZero();
  }

  private Path left(String name) throws IOException {
    Files.createDirectories(place.out());
    Path file = place.out().resolve(name);
    Files.deleteIfExists(file);
    return Files.copy(other.out().resolve(name), file);
  }

  private void assertRefused(Path file, String[] words, String... reasons) throws IOException {
    byte[] before = Files.readAllBytes(file);
    List<String> files = place.files();

    Ended ended = place.run(words);

    assertThat(ended.errors())
        .contains(SetupPlace.concat(reasons, file.getFileName() + " ", "move them away"));
    assertThat(ended.errors().lines()).hasSize(1);
    assertThat(ended.code()).isOne();
    assertThat(place.steps()).isEmpty();
    assertThat(place.files()).isEqualTo(files);
    assertThat(file).hasBinaryContent(before);
  }

  /** As a rehearsal leaves them, whose database was dropped. */
  @Test
  void run_emptyDatabase_refusesEachAndNamesAll() throws IOException {
    assertRefused(left("audit.pem"), place.words(), "neither database nor token has a key");
    assertRefused(left("chain.pem"), place.words(), "CN=Rehearsal CA", "has no issuing CA");
    assertRefused(left("root.crl"), place.words(), "has no root that could have signed it");
    assertRefused(
        left("root.pem"),
        place.words(),
        "audit.pem has the public key ",
        "chain.pem is the chain of ",
        "root.crl is there",
        "root.pem is CN=Setup Root CA",
        "the database has no root");

    for (String name : List.of("audit.pem", "chain.pem", "root.crl", "root.pem")) {
      Files.delete(place.out().resolve(name));
    }
    assertThat(place.run(place.words()).code()).isZero();
  }

  @Test
  void run_otherFilesThanTheDatabaseHas_refusesEach() throws IOException {
    assertThat(place.run(place.words()).code()).isZero();
    place.steps().clear();
    Path ours = Files.createDirectory(folder.resolve("ours"));
    for (String name : List.of("audit.pem", "chain.pem", "root.crl", "root.pem")) {
      Path own = Files.copy(place.out().resolve(name), ours.resolve(name));
      assertRefused(left(name), new String[] {"--check"});
      Files.delete(place.out().resolve(name));
      Files.copy(own, place.out().resolve(name));
    }
    assertRefused(left("chain.pem"), new String[0], "CN=Rehearsal CA", "CN=Setup Issuing CA");

    Files.delete(place.out().resolve("chain.pem"));
    assertThat(place.run().code()).isZero();
    assertThat(place.out().resolve("chain.pem")).hasSameTextualContentAs(ours.resolve("chain.pem"));
  }

  @Test
  void run_externalRootAndOtherRootFile_refusedBeforeTheConfiguration() throws IOException {
    SetupPlace authority = SetupPlace.in(folder);
    assertThat(authority.run(authority.words()).code()).isZero();
    assertThat(place.run(place.externalWords()).code()).isEqualTo(4);
    Path signed = folder.resolve("signed.pem");
    authority.sign(place.out().resolve("issuing.csr"), signed);
    Path stale = left("root.pem");
    byte[] before = Files.readAllBytes(stale);

    Ended ended =
        place.run(
            "--certificate", signed.toString(),
            "--root", authority.out().resolve("root.pem").toString());

    assertThat(ended.errors()).contains("root.pem is CN=Setup Root CA", "and the root is");
    assertThat(place.nodeEnv()).doesNotExist();
    assertThat(stale).hasBinaryContent(before);
    Files.delete(stale);
    assertThat(place.run().code()).isZero();
  }

  @Test
  void run_fileThatIsNotWhatSetupWrites_refused() throws IOException {
    Files.createDirectories(place.out());
    for (String name : List.of("audit.pem", "chain.pem", "root.crl")) {
      Path text = Files.writeString(place.out().resolve(name), "text");
      assertRefused(text, place.words());
      Files.delete(text);
    }
  }
}
