package org.sluiceca.core.syntax;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The check of an A-label (RFC 5890 2.3.2.1): it decodes by Punycode (RFC 3492) to a label that
 * IDNA 2008 can allow. The JDK's IDN is of 2003 and of Unicode 3.2; the rules of RFC 5892 are here
 * as far as they need no table.
 *
 * <p>Stricter than IDNA: no joiners (U+200C, U+200D; RFC 5892 A.1 and A.2, whose rules need
 * tables), no Hangul but syllables, no Cherokee small letters. Looser: the bidi rule (RFC 5893),
 * and names that look like others, are left to those who allow domains.
 */
final class IdnaLabel {

  static final String PREFIX = "xn--";

  // RFC 3492 5.
  private static final int BASE = 36;
  private static final int T_MIN = 1;
  private static final int T_MAX = 26;
  private static final int SKEW = 38;
  private static final int DAMP = 700;
  private static final int INITIAL_BIAS = 72;
  private static final int INITIAL_N = 0x80;

  /** RFC 5892 2.6: allowed although the rules would refuse them. */
  private static final Set<Integer> ALLOWED =
      Set.of(0x00DF, 0x03C2, 0x06FD, 0x06FE, 0x0F0B, 0x3007);

  /**
   * RFC 5892 2.8 and 2.9, ignorable blocks and old Hangul; and Cherokee, whose case is unstable.
   */
  private static final Set<Character.UnicodeBlock> REFUSED_BLOCKS =
      Set.of(
          Character.UnicodeBlock.COMBINING_MARKS_FOR_SYMBOLS,
          Character.UnicodeBlock.MUSICAL_SYMBOLS,
          Character.UnicodeBlock.ANCIENT_GREEK_MUSICAL_NOTATION,
          Character.UnicodeBlock.HANGUL_JAMO,
          Character.UnicodeBlock.HANGUL_JAMO_EXTENDED_A,
          Character.UnicodeBlock.HANGUL_JAMO_EXTENDED_B,
          Character.UnicodeBlock.CHEROKEE,
          Character.UnicodeBlock.CHEROKEE_SUPPLEMENT);

  /** RFC 5892 2.6: refused although they are letters or digits. */
  private static final Set<Integer> REFUSED =
      Set.of(0x0640, 0x07FA, 0x302E, 0x302F, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303B);

  private IdnaLabel() {}

  /**
   * Returns whether {@code label}, which begins with {@link #PREFIX} in any case, is an A-label.
   */
  static boolean isALabel(String label) {
    Optional<String> decoded = decode(label.substring(PREFIX.length()).toLowerCase(Locale.ROOT));
    if (decoded.isEmpty() || decoded.get().isEmpty()) {
      return false;
    }
    String text = decoded.get();
    // RFC 5891 4.2: in NFC, no hyphen at an end or in third and fourth place, no mark in front.
    return Normalizer.isNormalized(text, Normalizer.Form.NFC)
        && text.codePoints().anyMatch(c -> c >= INITIAL_N)
        && !text.startsWith("-")
        && !text.endsWith("-")
        && !text.startsWith("--", 2)
        && !isMark(text.codePointAt(0))
        && areAllowed(text.codePoints().toArray())
        && !mixesArabicDigits(text);
  }

  private static boolean areAllowed(int[] text) {
    for (int at = 0; at < text.length; at++) {
      if (!isAllowed(text[at]) && !isInContext(text, at)) {
        return false;
      }
    }
    return true;
  }

  /** RFC 5892 A.3 to A.7: signs that only some neighbours make part of a word. */
  private static boolean isInContext(int[] text, int at) {
    int before = at > 0 ? text[at - 1] : '-';
    int behind = at + 1 < text.length ? text[at + 1] : '-';
    return switch (text[at]) {
      case 0x00B7 -> before == 'l' && behind == 'l';
      case 0x0375 -> Character.UnicodeScript.of(behind) == Character.UnicodeScript.GREEK;
      case 0x05F3, 0x05F4 -> Character.UnicodeScript.of(before) == Character.UnicodeScript.HEBREW;
      case 0x30FB -> Arrays.stream(text).anyMatch(IdnaLabel::isJapanese);
      default -> false;
    };
  }

  private static boolean isJapanese(int c) {
    return switch (Character.UnicodeScript.of(c)) {
      case HIRAGANA, KATAKANA, HAN -> true;
      default -> false;
    };
  }

  /** RFC 5892 A.8 and A.9: Arabic-Indic digits and the extended ones look alike. */
  private static boolean mixesArabicDigits(String text) {
    return text.codePoints().anyMatch(c -> c >= 0x0660 && c <= 0x0669)
        && text.codePoints().anyMatch(c -> c >= 0x06F0 && c <= 0x06F9);
  }

  /** RFC 3492 6.2. Empty if the text is no Punycode. */
  static Optional<String> decode(String punycode) {
    StringBuilder output = new StringBuilder();
    int basic = punycode.lastIndexOf('-');
    if (basic > 0) {
      output.append(punycode, 0, basic);
    }
    int n = INITIAL_N;
    int bias = INITIAL_BIAS;
    long i = 0;
    // A lone delimiter in front stands for no basic characters, which is written without it.
    int in = basic > 0 ? basic + 1 : 0;
    int count = output.length();
    while (in < punycode.length()) {
      long old = i;
      long weight = 1;
      for (int k = BASE; ; k += BASE) {
        int digit = in < punycode.length() ? digit(punycode.charAt(in++)) : -1;
        if (digit < 0) {
          return Optional.empty();
        }
        i += digit * weight;
        int threshold = Math.clamp(k - bias, T_MIN, T_MAX);
        if (digit < threshold) {
          break;
        }
        weight *= BASE - threshold;
        if (i > Integer.MAX_VALUE || weight > Integer.MAX_VALUE) {
          return Optional.empty();
        }
      }
      count++;
      bias = adapt(i - old, count, old == 0);
      long next = n + i / count;
      if (next > Character.MAX_CODE_POINT || Character.getType((int) next) == Character.SURROGATE) {
        return Optional.empty();
      }
      n = (int) next;
      i %= count;
      output.insert(output.offsetByCodePoints(0, (int) i), Character.toString(n));
      i++;
    }
    return Optional.of(output.toString());
  }

  /** RFC 3492 6.1. */
  private static int adapt(long delta, int count, boolean isFirst) {
    long d = isFirst ? delta / DAMP : delta / 2;
    d += d / count;
    int k = 0;
    while (d > (BASE - T_MIN) * T_MAX / 2) {
      d /= BASE - T_MIN;
      k += BASE;
    }
    return (int) (k + (BASE - T_MIN + 1) * d / (d + SKEW));
  }

  private static int digit(char c) {
    if (c >= 'a' && c <= 'z') {
      return c - 'a';
    }
    return c >= '0' && c <= '9' ? c - '0' + 26 : -1;
  }

  /** RFC 5892 2: letters, digits and marks that are stable under folding and not ignorable. */
  private static boolean isAllowed(int c) {
    if (c < INITIAL_N) {
      return c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
    }
    if (ALLOWED.contains(c)) {
      return true;
    }
    return switch (Character.getType(c)) {
      case Character.LOWERCASE_LETTER,
          Character.OTHER_LETTER,
          Character.MODIFIER_LETTER,
          Character.NON_SPACING_MARK,
          Character.COMBINING_SPACING_MARK,
          Character.DECIMAL_DIGIT_NUMBER ->
          isStable(c)
              && !REFUSED.contains(c)
              && !REFUSED_BLOCKS.contains(Character.UnicodeBlock.of(c))
              && !InvisibleCharacters.contains(c);
      default -> false;
    };
  }

  /** RFC 5892 2.2; the JDK has no case folding, but lower case of upper case comes to that. */
  private static boolean isStable(int c) {
    String text = Character.toString(c);
    String folded =
        Normalizer.normalize(
            fold(Normalizer.normalize(text, Normalizer.Form.NFKC)), Normalizer.Form.NFKC);
    return folded.equals(text);
  }

  private static String fold(String text) {
    // The dotless i has an upper case that is another letter's.
    return text.indexOf(0x0131) >= 0
        ? text
        : text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  private static boolean isMark(int c) {
    return switch (Character.getType(c)) {
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
          true;
      default -> false;
    };
  }
}
