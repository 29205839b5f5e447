package org.sluiceca.api.cli.setup.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.cli.setup.question.Question;

class DraftTest {

  @TempDir private Path folder;

  @Test
  void read_whatWasWritten_isThere() throws IOException {
    Draft draft = Draft.of(folder.resolve("draft"));
    Map<Question, String> answers =
        Map.of(Question.SUBJECT, "CN=Prüf-CA,O=a=b", Question.NODES, "3");

    draft.write(answers);

    assertThat(draft.read()).isEqualTo(answers);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(draft.file())))
        .isEqualTo("rw-------");
  }

  /** Of another version, or changed by hand: asked again. */
  @Test
  void read_linesThatAreNoAnswers_countForNothing() throws IOException {
    Draft draft = Draft.of(folder.resolve("draft"));
    write(draft.file(), "unknown=1\nnodes=many\nno line\nnode-name=node-3\n", "rw-r--r--");

    assertThat(draft.read()).isEqualTo(Map.of(Question.NODE_NAME, "node-3"));
  }

  private static void write(Path file, String text, String mode) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  /** Root would load a module that another user names. */
  @Test
  void read_ofAnotherUser_refused() throws IOException {
    Path file = folder.resolve("draft");
    Draft.of(file).write(Map.of(Question.NODE_NAME, "node-3"));
    UserPrincipal other =
        folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("daemon");

    assertThatThrownBy(() -> new Draft(file, other).read())
        .isInstanceOf(SetupException.class)
        .hasMessageContaining(
            "has the answers of user "
                + Files.getOwner(file).getName()
                + ", and setup runs as daemon");
    assertThat(Draft.of(file).read()).hasSize(1);
  }

  @Test
  void read_thatOthersMayHaveWritten_refused() throws IOException {
    Draft draft = Draft.of(folder.resolve("draft"));
    write(draft.file(), "node-name=node-3\n", "rw-rw----");
    Draft link = Draft.of(Files.createSymbolicLink(folder.resolve("link"), draft.file()));

    assertThatThrownBy(draft::read)
        .isInstanceOf(SetupException.class)
        .hasMessageContaining("can be written by other users (rw-rw----)");
    assertThatThrownBy(link::read)
        .isInstanceOf(SetupException.class)
        .hasMessageContaining("is no file of its own");
  }
}
