package org.sluiceca.load.page;

import java.util.ArrayList;
import java.util.List;

/** What must hold of a run, in order, and what came of it. Used by one thread. */
public final class Goals {

  private final List<Goal> all = new ArrayList<>();

  /** Whether a goal was reached. */
  public enum Verdict {
    MET,
    MISSED,
    /** The run was too short to tell. */
    NOT_JUDGED
  }

  /**
   * A goal.
   *
   * @param seen the figures that it was judged by, or why it was not; may be empty
   */
  public record Goal(String name, Verdict verdict, String seen) {

    /** Returns it as an item of a page. */
    String words() {
      String word =
          switch (verdict) {
            case MET -> "met: ";
            case MISSED -> "MISSED: ";
            case NOT_JUDGED -> "not judged: ";
          };
      return word + name + (seen.isEmpty() ? "" : " (" + seen + ")");
    }
  }

  /** Adds one that is met if {@code holds}. */
  public void add(String name, boolean holds, String seen) {
    all.add(new Goal(name, holds ? Verdict.MET : Verdict.MISSED, seen));
  }

  /** Adds one whose name says all. */
  public void add(String name, boolean holds) {
    add(name, holds, "");
  }

  /** Adds one that cannot be judged. */
  public void unjudged(String name, String why) {
    all.add(new Goal(name, Verdict.NOT_JUDGED, why));
  }

  /** Returns all in order. */
  public List<Goal> all() {
    return List.copyOf(all);
  }

  /** Returns the names of those that were missed. */
  public List<String> missed() {
    return all.stream().filter(g -> g.verdict() == Verdict.MISSED).map(Goal::name).toList();
  }
}
