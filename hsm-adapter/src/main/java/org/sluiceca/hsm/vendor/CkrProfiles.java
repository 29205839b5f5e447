package org.sluiceca.hsm.vendor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.pkcs11.Ckr;

/**
 * The table of profiles, {@code ckr-profiles.txt}, which says itself how it is written.
 *
 * @param byName in the table's order
 * @param byFilePart which profile a module has whose file name contains this, in the table's order
 */
record CkrProfiles(Map<String, CkrProfile> byName, Map<String, CkrProfile> byFilePart) {

  private static final String TABLE = "ckr-profiles.txt";

  /** The table that comes with the product. */
  static CkrProfiles shipped() {
    try (InputStream in = CkrProfiles.class.getResourceAsStream(TABLE)) {
      if (in == null) {
        throw new IllegalStateException("missing resource " + TABLE);
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a table.
   *
   * @throws IllegalArgumentException that names the line at fault
   */
  static CkrProfiles parse(String table) {
    Reader reader = new Reader();
    int number = 0;
    for (String line : table.lines().toList()) {
      number++;
      try {
        reader.line(line.replaceFirst("#.*", "").strip());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(TABLE + " line " + number + ": " + e.getMessage(), e);
      }
    }
    return reader.ended();
  }

  /** What was read so far. */
  private static final class Reader {
    private final Map<String, CkrProfile> byName = new LinkedHashMap<>();
    private final Map<String, CkrProfile> byFilePart = new LinkedHashMap<>();
    private final List<String> files = new ArrayList<>();
    private final Map<Ckr, FailureClass> own = new HashMap<>();
    private @Nullable CkrProfile base;
    private @Nullable String name;
    private boolean reinitialise;

    void line(String line) {
      if (line.isEmpty()) {
        return;
      }
      String[] words = line.split("\\s+", -1);
      if (words[0].equals("profile")) {
        endProfile();
        begin(words);
        return;
      }
      check(name != null, "no profile has begun");
      switch (words[0]) {
        case "file" -> {
          check(words.length == 2, "'file' takes one word");
          files.add(words[1]);
        }
        case "reinitialise" -> {
          check(
              words.length == 2 && (words[1].equals("yes") || words[1].equals("no")),
              "'reinitialise' takes yes or no");
          reinitialise = words[1].equals("yes");
        }
        default -> code(words);
      }
    }

    private void begin(String[] words) {
      boolean isExtending = words.length == 4 && words[2].equals("extends");
      check(words.length == 2 || isExtending, "'profile NAME' or 'profile NAME extends NAME'");
      check(!byName.containsKey(words[1]), "the profile " + words[1] + " is there before");
      CkrProfile extended = isExtending ? byName.get(words[3]) : null;
      check(!isExtending || extended != null, "no profile above to extend");
      name = words[1];
      base = extended;
      reinitialise = extended != null && extended.reinitialiseWhenLost();
    }

    private void code(String[] words) {
      check(words.length == 3 && words[0].startsWith("0x"), "neither a setting nor a code");
      Ckr ckr = new Ckr(Long.parseLong(words[0].substring(2), 16));
      check(ckr.toString().equals(words[1]), words[0] + " is " + ckr + " and not " + words[1]);
      FailureClass meaning = FailureClass.valueOf(words[2]);
      check(own.put(ckr, meaning) == null, ckr + " is there before");
    }

    private void endProfile() {
      String ended = name;
      if (ended == null) {
        return;
      }
      Map<Ckr, FailureClass> classes = new HashMap<>(base == null ? Map.of() : base.classes());
      classes.putAll(own);
      CkrProfile profile = new CkrProfile(ended, classes, reinitialise);
      byName.put(ended, profile);
      files.forEach(part -> byFilePart.putIfAbsent(part, profile));
      files.clear();
      own.clear();
    }

    CkrProfiles ended() {
      endProfile();
      return new CkrProfiles(byName, byFilePart);
    }

    private static void check(boolean holds, String otherwise) {
      if (!holds) {
        throw new IllegalArgumentException(otherwise);
      }
    }
  }
}
