package org.sluiceca.api.cli.setup.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.cli.setup.question.Question;

class NodeEnvTest {

  @TempDir private Path folder;

  private NodeEnv read(String text) throws IOException {
    return NodeEnv.read(Files.writeString(folder.resolve("node.env"), text));
  }

  @Test
  void with_otherValues_keepsPlacesAndWhatItDoesNotKnow() throws IOException {
    NodeEnv before = read("# ours\nA=1\nSERVER_PORT=9\nB=\"2 3\"\n");

    NodeEnv after = before.with(Map.of("A", "x y", "B", "2 3"));

    assertThat(after.text()).isEqualTo("# ours\nA=\"x y\"\nSERVER_PORT=9\nB=\"2 3\"\n");
  }

  /** As systemd has it, so that the line that counts is the one that is changed. */
  @Test
  void value_twoLines_theLastCounts() throws IOException {
    NodeEnv twice = read("A=1\nAA=3\nA=2\n");

    assertThat(twice.value("A")).contains("2");
    assertThat(twice.with(Map.of("A", "4")).text()).isEqualTo("A=1\nAA=3\nA=4\n");
  }

  /** Otherwise another line would follow, and count before the operator's. */
  @Test
  void value_blanksAroundTheName_isRead() throws IOException {
    NodeEnv byHand = read("  A = 1\n\tB=\"2 3\" \n#A=9\n");

    assertThat(byHand.value("A")).contains("1");
    assertThat(byHand.value("B")).contains("2 3");
    assertThat(byHand.with(Map.of("A", "4")).text()).isEqualTo("A=4\n\tB=\"2 3\" \n#A=9\n");
  }

  @Test
  void read_fileOfOctets_namesIt() throws IOException {
    Path file = Files.write(folder.resolve("node.env"), new byte[] {'A', '=', (byte) 0xff});

    assertThatThrownBy(() -> NodeEnv.read(file)).hasMessage(file + " is not UTF-8");
  }

  /** A shell reads what is written here as it was meant. */
  @Test
  void text_everyCharacterOfASetting_isReadAlikeByAShell() throws Exception {
    String value = "jdbc:postgresql://h/d?a=b&c=d;(x) <y> |z* ~#!";
    Path file = Files.writeString(folder.resolve("env"), read("").with(Map.of("V", value)).text());

    Process shell =
        new ProcessBuilder("sh", "-c", ". \"$0\"; printf %s \"$V\"", file.toString()).start();

    assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
        .isEqualTo(value);
    assertThat(Question.DATABASE_URL.fault(value)).isEmpty();
    assertThat(Question.DATABASE_URL.fault(value + "$")).isPresent();
  }

  @Test
  void read_largeFile_refused() {
    assertThatThrownBy(() -> read("#".repeat(70_000))).isInstanceOf(IOException.class);
  }
}
