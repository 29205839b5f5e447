package org.sluiceca.client.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ConsoleTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Console console = new Console(new PrintWriter(out), new PrintWriter(err));

  @Test
  void line_controlCharactersOfAServer_neverReachTheTerminal() {
    console.line("CN=\u001b[2Ja\nb\u202ec");

    assertThat(out.toString()).isEqualTo("CN=?[2Ja?b?c" + System.lineSeparator());
  }

  @Test
  void say_quiet_onlyFailures() {
    console.beQuiet();
    console.say("waiting %d s", 3);
    console.fail("no");

    assertThat(err.toString()).isEqualTo("sluice: no" + System.lineSeparator());
  }

  @Test
  void table_cellsOfAnyWidth_columnsAligned() {
    Table table = new Table("A", "LONG");
    table.row("x", "y");
    table.row("longer", "");

    assertThat(table.lines()).containsExactly("A       LONG", "x       y", "longer");
    assertThatIllegalArgumentException().isThrownBy(() -> table.row("x"));
  }
}
