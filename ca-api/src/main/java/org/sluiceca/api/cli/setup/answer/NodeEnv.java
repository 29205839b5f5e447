package org.sluiceca.api.cli.setup.answer;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings of a node, in the form of systemd's EnvironmentFile: one {@code NAME=value} a line.
 * What an operator has added stays where it is. Immutable.
 */
public final class NodeEnv {

  private static final long BYTES_MAX = 65_536;

  /** What needs no quotes for systemd, and none for a shell. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,@%+-]*");

  private final List<String> lines;

  private NodeEnv(List<String> lines) {
    this.lines = List.copyOf(lines);
  }

  /**
   * Reads the file; without one there are no settings.
   *
   * @throws IOException if it cannot be read, is not UTF-8 or has more than 64 KiB
   */
  public static NodeEnv read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return new NodeEnv(List.of());
    }
    if (Files.size(file) > BYTES_MAX) {
      throw new IOException(file + " is larger than " + BYTES_MAX + " bytes");
    }
    try {
      return new NodeEnv(Files.readAllLines(file));
    } catch (CharacterCodingException e) {
      throw new IOException(file + " is not UTF-8", e);
    }
  }

  /** Returns whether there is no setting at all. */
  public boolean isEmpty() {
    return lines.isEmpty();
  }

  /** Returns a setting's value; of several lines the last counts, as systemd has it. */
  public Optional<String> value(String name) {
    Optional<String> value = Optional.empty();
    for (String line : lines) {
      if (names(line, name)) {
        value = Optional.of(unquoted(line.substring(line.indexOf('=') + 1).strip()));
      }
    }
    return value;
  }

  /** Returns the same settings but for these, each in the place that it had. */
  public NodeEnv with(Map<String, String> settings) {
    List<String> changed = new ArrayList<>(lines);
    settings.forEach(
        (name, value) -> {
          if (value(name).equals(Optional.of(value))) {
            return;
          }
          String line = name + "=" + quoted(value);
          int place = -1;
          for (int i = 0; i < changed.size(); i++) {
            place = names(changed.get(i), name) ? i : place;
          }
          if (place < 0) {
            changed.add(line);
          } else {
            changed.set(place, line);
          }
        });
    return new NodeEnv(changed);
  }

  /** Returns the file's text. */
  public String text() {
    return String.join("\n", lines) + "\n";
  }

  /** By hand there may be blanks around a name, which systemd leaves out. */
  private static boolean names(String line, String name) {
    int equals = line.indexOf('=');
    return equals >= 0 && line.substring(0, equals).strip().equals(name);
  }

  private static String quoted(String value) {
    return PLAIN.matcher(value).matches() ? value : '"' + value + '"';
  }

  private static String unquoted(String value) {
    boolean isQuoted =
        value.length() > 1
            && (value.charAt(0) == '"' || value.charAt(0) == '\'')
            && value.charAt(value.length() - 1) == value.charAt(0);
    return isQuoted ? value.substring(1, value.length() - 1) : value;
  }
}
