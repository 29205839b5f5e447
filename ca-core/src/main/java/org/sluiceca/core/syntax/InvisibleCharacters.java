package org.sluiceca.core.syntax;

/**
 * The characters that a reader cannot see and that are neither format nor control characters:
 * letters and marks among Unicode's Default_Ignorable_Code_Point. With one of them, two names that
 * look alike are two names.
 */
public final class InvisibleCharacters {

  private InvisibleCharacters() {}

  /** Returns whether the code point is one of them. */
  public static boolean contains(int c) {
    return c == 0x034F // combining grapheme joiner
        || c == 0x115F // Hangul fillers
        || c == 0x1160
        || c == 0x3164
        || c == 0xFFA0
        || c == 0x2800 // Braille pattern blank
        || c == 0x17B4 // Khmer inherent vowels
        || c == 0x17B5
        || (c >= 0x180B && c <= 0x180F) // Mongolian and other variation selectors
        || (c >= 0xFE00 && c <= 0xFE0F)
        || (c >= 0xE0000 && c <= 0xE0FFF);
  }
}
