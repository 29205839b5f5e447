package org.sluiceca.load.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredTest {

  @Test
  void parse_honest_everythingIsThere() {
    Measured measured = Measured.parse(Records.honest());

    assertThat(measured.facts()).containsEntry("cores", "2");
    assertThat(measured.runs()).hasSize(8);
    assertThat(measured.loads()).containsExactly("16");
    assertThat(measured.subjects())
        .containsExactly(new Run.Subject(Records.OURS, "c"), new Run.Subject(Records.THEIRS, "c"));
    assertThat(measured.of(measured.subjects().getFirst(), "16")).hasSize(3);
    assertThat(measured.stores().getLast().added()).isEqualTo(20_000);
  }

  @Test
  void parse_unknownFigure_isNaNAndNotZero() {
    String line =
        Records.run(Records.OURS, 1, 10, 10)
            .replaceFirst("allocatedBytes=\\d+", "allocatedBytes=unknown");

    Run run = Measured.parse(List.of(line)).runs().getFirst();

    assertThat(run.allocatedBytes()).isNaN();
    assertThat(Figures.of(List.of(run)).allocatedBytes()).isNaN();
    assertThat(Figures.of(List.of(run)).caMicros()).isEqualTo(300);
  }

  @Test
  void parse_missingName_refused() {
    assertRefused(Records.run(Records.OURS, 1, 10, 10).replace("\tsent=10", ""), "lacks sent");
  }

  @Test
  void parse_unknownName_refused() {
    assertRefused(Records.run(Records.OURS, 1, 10, 10) + "\tspeed=9", "speed=9");
  }

  @Test
  void parse_nameTwice_refused() {
    assertRefused(Records.run(Records.OURS, 1, 10, 10) + "\tsent=11", "twice");
  }

  @Test
  void parse_noNumber_refused() {
    String line = Records.run(Records.OURS, 1, 10, 10);
    assertRefused(line.replace("issued=10", "issued=ten"), "issued");
    assertRefused(line.replace("issued=10", "issued=-1"), "issued");
    assertRefused(line.replace("seconds=10.000", "seconds=0"), "seconds");
    assertRefused(line.replace("p50=10.0", "p50=Infinity"), "p50");
  }

  @Test
  void parse_sameRoundTwice_refused() {
    List<String> lines = new ArrayList<>(Records.honest());
    lines.add(Records.run(Records.OURS, 1, 10, 10));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Measured.parse(lines))
        .withMessageContaining("measured twice");
  }

  @Test
  void parse_strangeLine_namedByItsNumber() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Measured.parse(List.of("fact\ta\tb", "figure\tx=1")))
        .withMessageContaining("line 2");
    assertRefused("fact\talone", "a name and a value");
  }

  private static void assertRefused(String line, String said) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Measured.parse(List.of(line)))
        .withMessageContaining(said);
  }
}
