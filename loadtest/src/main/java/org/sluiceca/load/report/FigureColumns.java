package org.sluiceca.load.report;

import org.sluiceca.load.judge.PhaseJudge.Figures;
import org.sluiceca.load.page.Table.Column;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Measure;

/** Columns of tables that have a row for each phase, or for each HSM or requester in it. */
public final class FigureColumns {

  private FigureColumns() {}

  /**
   * A row of such a table.
   *
   * @param name the HSM or the requester whose it is; empty if it is of all
   */
  public record Part(Figures phase, String name) {

    /** Returns a figure; NaN if there is none. */
    public double of(Measure measure) {
      return phase.of(measure, name);
    }
  }

  /** The row of all of a phase. */
  public static Part all(Figures phase) {
    return new Part(phase, "");
  }

  /** The phase's name. */
  public static Column<Part> phase() {
    return new Column<>("phase", part -> part.phase().seen().phase().name());
  }

  /** A figure with this number of digits after the point. */
  public static Column<Part> number(String title, Measure measure, int digits) {
    return new Column<>(title, part -> Text.number(part.of(measure), digits));
  }

  /** A share in percent. */
  public static Column<Part> percent(String title, Measure measure) {
    return new Column<>(title, part -> Text.percent(part.of(measure)));
  }
}
