package org.sluiceca.core.syntax;

/**
 * The encoder of RFC 3492 6.3, for tests of the decoder with labels that no other encoder makes.
 */
final class Punycode {

  private Punycode() {}

  static String encode(String text) {
    int[] input = text.codePoints().toArray();
    StringBuilder output = new StringBuilder();
    for (int c : input) {
      if (c < 0x80) {
        output.append((char) c);
      }
    }
    int basic = output.length();
    int handled = basic;
    if (basic > 0) {
      output.append('-');
    }
    int n = 0x80;
    int delta = 0;
    int bias = 72;
    while (handled < input.length) {
      int next = Integer.MAX_VALUE;
      for (int c : input) {
        if (c >= n && c < next) {
          next = c;
        }
      }
      delta += (next - n) * (handled + 1);
      n = next;
      for (int c : input) {
        if (c < n) {
          delta++;
        } else if (c == n) {
          int q = delta;
          for (int k = 36; ; k += 36) {
            int t = Math.clamp(k - bias, 1, 26);
            if (q < t) {
              output.append(digit(q));
              break;
            }
            output.append(digit(t + (q - t) % (36 - t)));
            q = (q - t) / (36 - t);
          }
          bias = adapt(delta, handled + 1, handled == basic);
          delta = 0;
          handled++;
        }
      }
      delta++;
      n++;
    }
    return output.toString();
  }

  private static int adapt(int delta, int count, boolean isFirst) {
    int d = isFirst ? delta / 700 : delta / 2;
    d += d / count;
    int k = 0;
    for (; d > 455; k += 36) {
      d /= 35;
    }
    return k + 36 * d / (d + 38);
  }

  private static char digit(int value) {
    return (char) (value < 26 ? 'a' + value : '0' + value - 26);
  }
}
