package org.sluiceca.tidy;

/**
 * One place that breaks a rule.
 *
 * @param line counted from 1; 0 speaks of the whole file
 */
record Finding(String path, long line, String message) {

  static Finding of(String path, String message) {
    return new Finding(path, 0, message);
  }

  @Override
  public String toString() {
    return line == 0 ? path + ": " + message : path + ":" + line + ": " + message;
  }
}
