package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a library prints, made fit for a log. */
class OutputLinesTest {
  private final List<String> log = new ArrayList<>();
  private final OutputLines lines = new OutputLines(log::add, 0);

  @Test
  void accept_lineInPieces_oneLine() {
    say("hel", 0);
    say("lo\nwor", 0);
    say("ld\n\n", 0);

    assertThat(log).containsExactly("hello", "world");
    assertThat(lines.last()).isEqualTo("world");
  }

  @Test
  void accept_terminalSequenceAndOtherBytes_replaced() {
    say("a\u001B[31mb\r\u00E9\u0000c\n", 0);

    assertThat(log).containsExactly("a?[31mb???c");
  }

  @Test
  void accept_longLine_cutAtItsLimit() {
    say("x".repeat(OutputLines.LINE_MAX) + "\n", 0);
    say("y".repeat(OutputLines.LINE_MAX + 1) + "\n", 0);

    assertThat(log)
        .containsExactly(
            "x".repeat(OutputLines.LINE_MAX), "y".repeat(OutputLines.LINE_MAX) + "...");
  }

  @Test
  void accept_manyLines_countedAndToldWithTheNextWindow() {
    say("line\n".repeat(OutputLines.LINES_MAX + 7), 0);
    assertThat(log).hasSize(OutputLines.LINES_MAX);

    say("later\n", OutputLines.WINDOW.toNanos());

    assertThat(log).hasSize(OutputLines.LINES_MAX + 2);
    assertThat(log.subList(OutputLines.LINES_MAX, log.size()))
        .containsExactly("7 more lines were printed", "later");
  }

  @Test
  void end_restWithoutLineBreakAndDropped_told() {
    say("line\n".repeat(OutputLines.LINES_MAX + 1) + "rest", 0);

    lines.end(1);

    assertThat(log.getLast()).isEqualTo("2 more lines were printed");
  }

  @Test
  void last_accountOfACrash_whereItWas() {
    say("#\n#  SIGSEGV (0xb) at pc=0x00007f, pid=1\n# JRE version: 25\n#   https://x/issues\n", 0);

    assertThat(lines.last()).isEqualTo("#  SIGSEGV (0xb) at pc=0x00007f, pid=1");
    assertThat(log).hasSize(3);
  }

  private void say(String text, long now) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    lines.accept(bytes, bytes.length, now);
  }
}
