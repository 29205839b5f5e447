package org.sluiceca.core.registration;

import java.util.Locale;

/**
 * Why a request came to nothing, for good.
 *
 * @param kind which answer of a protocol it is
 * @param detail one line that its client can act on
 */
public record Refusal(Kind kind, String detail) {

  /** The longest detail in characters. */
  private static final int DETAIL_MAX = 500;

  /** Cuts what is longer. */
  public Refusal {
    if (detail.length() > DETAIL_MAX) {
      detail = detail.substring(0, DETAIL_MAX);
    }
  }

  /** What a refusal is about. */
  public enum Kind {
    /** The CSR, its key or its names do not do. */
    BAD_CSR,
    /** A name was not proven. */
    NOT_PROVEN,
    /** The requester may not have it, or may no longer. */
    NOT_ALLOWED,
    /** The CA gave the intent up: a new request may do. */
    GIVEN_UP;

    /** Returns the name by which it is stored. */
    public String stored() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
