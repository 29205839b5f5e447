package org.sluiceca.api.cli.setup.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TerminalTest {

  /** Labels, names and errors of others are shown: they must not change what is on the screen. */
  @Test
  void say_charactersThatChangeAScreen_areQuestionMarks() {
    StringWriter shown = new StringWriter();

    Terminal.of(new PrintWriter(shown), false)
        .say("a\u001b[2Jb\u009b31m\rc\nd\u202ee\u0007 \u00e9\u4e2d");

    assertThat(shown.toString().lines()).containsExactly("a?[2Jb?31m?c?d?e? \u00e9\u4e2d");
  }
}
