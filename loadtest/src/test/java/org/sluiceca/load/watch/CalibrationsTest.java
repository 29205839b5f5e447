package org.sluiceca.load.watch;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.cli.TrialException;

class CalibrationsTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void require_allMeasured_passes() {
    assertThatCode(
            () ->
                Calibrations.require(
                    List.of("near", "far"),
                    Set.of("near", "far", "other"),
                    folder.resolve("calibrate.log")))
        .doesNotThrowAnyException();
  }

  @Test
  void require_oneNotMeasured_failsWithOneLineThatTellsWhichAndWhy() throws IOException {
    Path log = folder.resolve("calibrate.log");
    Files.writeString(log, "a stack\nthe token is away\n\n");

    assertThatExceptionOfType(TrialException.class)
        .isThrownBy(() -> Calibrations.require(List.of("near", "far"), Set.of("near"), log))
        .withMessage(
            "not calibrated, so that nodes would use fixed windows: far (the token is away)");
  }

  @Test
  void require_noLog_failsAllTheSame() {
    assertThatExceptionOfType(TrialException.class)
        .isThrownBy(
            () -> Calibrations.require(List.of("load-00"), Set.of(), folder.resolve("none.log")))
        .withMessageEndingWith("windows: load-00");
  }
}
