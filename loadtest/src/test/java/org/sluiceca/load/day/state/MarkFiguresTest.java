package org.sluiceca.load.day.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of a mark, and what its books say. */
class MarkFiguresTest {

  private static final MarkFigures.Books SOUND =
      new MarkFigures.Books(1_000, 5, 20, 1_020, 1_020, 1_020, 1_020, 9, 1_020, 9, 1_000, 5, 20);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path path;

  @Test
  void faults_ofSoundBooks_none() {
    assertThat(SOUND.faults()).isEmpty();
  }

  /** Each with the one fault that it plants. */
  @Test
  void faults_planted_eachFound() {
    assertThat(
            new MarkFigures.Books(1_000, 5, 20, 1_020, 1_020, 1_020, 1_020, 9, 1_020, 9, 999, 5, 20)
                .faults())
        .containsExactly("1 certificates were answered that the index has not");
    assertThat(
            new MarkFigures.Books(
                    1_000, 5, 20, 1_020, 1_020, 1_020, 1_020, 9, 1_020, 9, 1_001, 5, 20)
                .faults())
        .containsExactly("1 certificates more than were answered");
    assertThat(
            new MarkFigures.Books(
                    1_000, 5, 20, 1_020, 1_020, 1_020, 1_020, 9, 1_020, 9, 1_000, 6, 20)
                .faults())
        .containsExactly("other serial numbers than were answered");
    assertThat(
            new MarkFigures.Books(
                    1_000, 5, 20, 1_020, 1_020, 1_020, 1_019, 9, 1_020, 9, 1_000, 5, 20)
                .faults())
        .containsExactly("1 serial numbers stand in the ledger twice");
    assertThat(
            new MarkFigures.Books(
                    1_000, 5, 20, 1_020, 1_020, 1_020, 1_020, 9, 1_019, 9, 1_000, 5, 20)
                .faults())
        .containsExactly("ledger and index differ: 1020 and 1019 certificates");
    assertThat(
            new MarkFigures.Books(
                    1_000, 5, 20, 1_021, 1_020, 1_020, 1_020, 9, 1_020, 9, 1_000, 5, 20)
                .faults())
        .containsExactly("1 intents without an end");
    assertThat(
            new MarkFigures.Books(
                    1_000, 5, 20, 1_020, 1_020, 1_020, 1_020, 9, 1_020, 9, 1_000, 5, 21)
                .faults())
        .containsExactly("20 single requests answered, 21 in the index");
  }

  @Test
  void keep_figures_readAgainAsTheyWere() throws IOException {
    MarkFigures figures =
        new MarkFigures(
            1,
            1_000,
            7,
            SOUND,
            10,
            List.of(new MarkFigures.Relation("outcome", false, 3)),
            Map.of("by prefix", new MarkFigures.Latency(3, 1.5, 2.5, 3, 1, "503 after 0 others")),
            new MarkFigures.Crl(10, Double.NaN, 400, 13, 13, 7, 0.2),
            200,
            4.5,
            0.3,
            Double.NaN,
            "",
            new MarkFigures.Hsm(Double.NaN, 0, 0),
            1.2);
    Folder folder = new Folder(path);

    folder.keep(figures);

    assertThat(folder.mark(1)).hasValue(figures);
    assertThat(folder.mark(0)).isEmpty();
  }

  /** A file that was being written when the process went has another name. */
  @Test
  void read_tornWrite_asIfItWasNotThere() throws IOException {
    Folder folder = new Folder(path);
    DayPlan plan = DayPlan.of(20_000, "1000", 1, 0);
    Files.writeString(path.resolve("day.json.new"), "{\"certificates\":20");

    assertThat(folder.plan()).isEmpty();
    folder.keep(plan);
    assertThat(folder.plan()).hasValue(plan);
  }
}
