package org.sluiceca.core.x509;

import java.util.List;

/**
 * The name space of RFC 5280 4.2.1.10: a name must lie outside every excluded subtree, and inside a
 * permitted one if there are permitted ones of its form.
 */
public record NameConstraints(List<NameSubtree> permitted, List<NameSubtree> excluded) {

  /** Every name. */
  public static final NameConstraints NONE = new NameConstraints(List.of(), List.of());

  public NameConstraints {
    permitted = List.copyOf(permitted);
    excluded = List.copyOf(excluded);
  }

  /** Returns whether every name is allowed. */
  public boolean isEmpty() {
    return permitted.isEmpty() && excluded.isEmpty();
  }
}
