package org.sluiceca.api.cli.setup.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.cli.setup.question.Question;

class DraftTest {

  @TempDir private Path folder;

  @Test
  void read_whatWasWritten_isThere() throws IOException {
    Draft draft = new Draft(folder.resolve("draft"));
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
    Draft draft = new Draft(folder.resolve("draft"));
    Files.writeString(draft.file(), "unknown=1\nnodes=many\nno line\nnode-name=node-3\n");

    assertThat(draft.read()).isEqualTo(Map.of(Question.NODE_NAME, "node-3"));
  }
}
