package org.sluiceca.core.intent;

/**
 * One run of one node: a restarted node is another owner, so it never takes its predecessor's
 * claims for its own.
 *
 * @param value 1 to 80 printable characters
 */
public record NodeId(String value) {

  public NodeId {
    if (value.isBlank() || value.length() > 80) {
      throw new IllegalArgumentException("node id must have 1 to 80 characters");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
