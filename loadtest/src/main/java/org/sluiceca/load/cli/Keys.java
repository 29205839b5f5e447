package org.sluiceca.load.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/**
 * The keys and values of a file of properties. Every key that no reader has asked for is an error:
 * a misspelt goal would otherwise always be met.
 */
public final class Keys {

  private final Properties properties = new Properties();
  private final Set<String> unread;

  private Keys(Reader text) throws IOException {
    properties.load(text);
    unread = new HashSet<>(properties.stringPropertyNames());
  }

  /** What a file is read as. */
  @FunctionalInterface
  public interface Form<T> {

    /** Reads all keys of the file of this name. */
    T read(String name, Keys keys);
  }

  /**
   * Reads a file; what it says is named after it.
   *
   * @throws InputException if it says what cannot be done
   * @throws IOException if it cannot be read
   */
  public static <T> T read(Path file, Form<T> form) throws IOException {
    String name = file.getFileName() + "";
    try (Reader text = Files.newBufferedReader(file)) {
      return parse(name.replaceFirst("\\.properties$", ""), text, form);
    } catch (InputException | IllegalArgumentException e) {
      throw new InputException(name + ": " + e.getMessage());
    }
  }

  /**
   * Reads a text.
   *
   * @throws InputException if it says what cannot be done
   */
  public static <T> T parse(String name, Reader text, Form<T> form) throws IOException {
    Keys keys = new Keys(text);
    T read = form.read(name, keys);
    if (!keys.unread.isEmpty()) {
      throw new InputException("unknown keys: " + keys.unread.stream().sorted().toList());
    }
    return read;
  }

  /** Returns whether there is this key. */
  public boolean has(String key) {
    return properties.containsKey(key);
  }

  /** Returns whether there is a key that begins with this. */
  public boolean hasAny(String prefix) {
    return properties.stringPropertyNames().stream().anyMatch(key -> key.startsWith(prefix));
  }

  /** Takes a key for read whose value is of no use. */
  public void ignore(String key) {
    unread.remove(key);
  }

  /** Returns the value of a key, which must have one. */
  public String text(String key) {
    String value = text(key, "");
    if (value.isEmpty()) {
      throw new InputException("no " + key);
    }
    return value;
  }

  /** Returns the value of a key, or {@code otherwise}. */
  public String text(String key, String otherwise) {
    unread.remove(key);
    return properties.getProperty(key, otherwise).strip();
  }

  /** Returns the words of a key's value; none if there is none. */
  public List<String> words(String key) {
    String all = text(key, "");
    return all.isEmpty() ? List.of() : List.of(all.split("\\s+", -1));
  }

  /** Returns what stands between {@code separator}s in a key's value; none if there is nothing. */
  public List<String> parts(String key, String separator) {
    return Arrays.stream(text(key, "").split(separator, -1))
        .map(String::strip)
        .filter(part -> !part.isEmpty())
        .toList();
  }

  /** Returns whether a key says {@code yes}; a missing key says {@code otherwise}. */
  public boolean isEither(String key, String yes, String otherwise) {
    String value = text(key, otherwise);
    if (!value.equals(yes) && !value.equals(otherwise)) {
      throw new InputException(key + " is " + otherwise + " or " + yes + ", not '" + value + "'");
    }
    return value.equals(yes);
  }

  /** Returns the number that a key says. */
  public double number(String key, String otherwise) {
    return parse(key, text(key, otherwise));
  }

  /** Returns the whole number that a key says. */
  public int whole(String key, String otherwise) {
    double number = number(key, otherwise);
    if (number != Math.rint(number)) {
      throw new InputException(key + " is a whole number, not " + number);
    }
    return (int) number;
  }

  /**
   * Reads the number that a key says.
   *
   * @throws InputException if it is none
   */
  public static double parse(String key, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new InputException(key + " is a number, not '" + text + "'");
    }
  }
}
