package org.sluiceca.core.wire.json;

/** The octets are not the JSON that was asked for. Never retried. */
public final class JsonException extends Exception {

  private static final long serialVersionUID = 1L;

  JsonException(String fault) {
    super(fault, null, false, false);
  }

  /** Returns what is wrong, in one line without the content. */
  public String fault() {
    return String.valueOf(getMessage());
  }
}
