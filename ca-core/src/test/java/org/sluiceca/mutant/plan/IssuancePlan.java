package org.sluiceca.mutant.plan;

import java.util.List;
import org.sluiceca.mutant.x509.ImportsLater;

/** A step token that anybody can make. */
public final class IssuancePlan {

  private final List<ImportsLater> parts;

  public IssuancePlan(List<ImportsLater> parts) {
    this.parts = List.copyOf(parts);
  }

  /** Closes the cycle. */
  public List<ImportsLater> parts() {
    return parts;
  }
}
