package org.sluiceca.hsm;

import java.util.Arrays;

/** A token's PIN for the moment of one login; closing it wipes the characters. */
public final class Pin implements AutoCloseable {
  private final char[] characters;

  /** Takes ownership of the array. */
  Pin(char[] characters) {
    this.characters = characters;
  }

  /** The characters themselves, not a copy: valid until {@link #close}. */
  public char[] characters() {
    return characters;
  }

  @Override
  public void close() {
    Arrays.fill(characters, '\0');
  }

  /** Never the PIN. */
  @Override
  public String toString() {
    return "Pin[hidden]";
  }
}
