package org.sluiceca.api.acme.endpoint;

import java.util.List;

/**
 * A file that describes no endpoint that may be served. The message is one line with all faults.
 */
public final class InvalidEndpoint extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> faults;

  /**
   * Refuses a file.
   *
   * @param faults 1 or more, each a line for the file's author
   */
  public InvalidEndpoint(List<String> faults) {
    super(String.join("; ", faults));
    this.faults = List.copyOf(faults);
  }

  /** Returns what is wrong with the file, each in a line of its own. */
  public List<String> faults() {
    return faults;
  }
}
