package org.sluiceca.load.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.page.Text;

/**
 * Which HSMs were measured, by the trial's database. Of others nodes take fixed windows, and say so
 * in a warning alone: a plan would judge what it is not about.
 */
public final class Calibrations {

  private static final String MEASURED = "SELECT DISTINCT hsm FROM hsm_engine_group";

  private Calibrations() {}

  /**
   * Blocks until the database has answered.
   *
   * @param names under which the nodes look for what was measured
   * @throws TrialException if one of them was not measured; its message says why
   */
  public static void require(List<String> names, TrialNodes trial) {
    require(names, measured(trial), trial.file("ceremony/calibrate.log"));
  }

  /** Requires that all are measured; {@code log} is what the measuring said, if there is such. */
  static void require(List<String> names, Set<String> measured, Path log) {
    List<String> missing = names.stream().filter(name -> !measured.contains(name)).toList();
    if (!missing.isEmpty()) {
      throw new TrialException(
          Text.format(
              "not calibrated, so that nodes would use fixed windows: %s%s",
              String.join(", ", missing), lastWords(log)));
    }
  }

  private static Set<String> measured(TrialNodes trial) {
    return Set.copyOf(trial.ledger().all(MEASURED, row -> row.getString(1)));
  }

  /** The trial is thrown away with the log in it. */
  private static String lastWords(Path log) {
    try {
      return Files.readAllLines(log).stream()
          .filter(line -> !line.isBlank())
          .reduce((earlier, later) -> later)
          .map(line -> " (" + line.strip() + ")")
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
