package org.sluiceca.core.wire.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object (RFC 8259) whose members are read by name and type: a number is no text, and {@code
 * null} is as good as absent. Immutable and thread-safe. Faults name the path of the member, never
 * its content.
 */
public final class JsonObject {

  private final String path;
  private final Map<String, @Nullable Object> members;

  JsonObject(String path, Map<String, @Nullable Object> members) {
    this.path = path;
    this.members = members;
  }

  /**
   * Reads an object and nothing behind it. Duplicate names, texts that are not UTF-8 and more than
   * {@value JsonReader#DEPTH_MAX} levels are refused.
   *
   * @param octets at most {@code octetsMax}
   */
  public static JsonObject read(byte[] octets, int octetsMax) throws JsonException {
    if (octets.length > octetsMax) {
      throw new JsonException("JSON of " + octets.length + " octets, allowed " + octetsMax);
    }
    return new JsonObject("", JsonReader.read(octets));
  }

  /** Returns the names of all members. */
  public Set<String> names() {
    return Set.copyOf(members.keySet());
  }

  /** Returns the text of a member that must be there. */
  public String text(String name) throws JsonException {
    return optionalText(name).orElseThrow(() -> missing(name));
  }

  /** Returns the text of a member; empty if it is absent. */
  public Optional<String> optionalText(String name) throws JsonException {
    return typed(name, String.class, "a text");
  }

  /** Returns the truth value of a member; empty if it is absent. */
  public Optional<Boolean> optionalBoolean(String name) throws JsonException {
    return typed(name, Boolean.class, "true or false");
  }

  /** Returns the whole number of a member, within a long's range; empty if it is absent. */
  public Optional<Long> optionalInteger(String name) throws JsonException {
    return typed(name, Long.class, "a whole number");
  }

  /** Returns the object of a member that must be there. */
  public JsonObject object(String name) throws JsonException {
    return optionalObject(name).orElseThrow(() -> missing(name));
  }

  /** Returns the object of a member; empty if it is absent. */
  public Optional<JsonObject> optionalObject(String name) throws JsonException {
    Optional<Map<String, @Nullable Object>> found = objectOf(members.get(name), place(name));
    return found.map(map -> new JsonObject(place(name), map));
  }

  /**
   * Returns the objects of a member that must be an array of them.
   *
   * @param max how many there may be
   */
  public List<JsonObject> objects(String name, int max) throws JsonException {
    List<JsonObject> objects = new ArrayList<>();
    for (Object element : array(name, max)) {
      String place = place(name) + "[" + objects.size() + "]";
      objects.add(
          new JsonObject(
              place,
              objectOf(element, place)
                  .orElseThrow(() -> new JsonException(place + " must be an object"))));
    }
    return List.copyOf(objects);
  }

  /**
   * Returns the texts of a member that must be an array of them.
   *
   * @param max how many there may be
   */
  public List<String> texts(String name, int max) throws JsonException {
    List<String> texts = new ArrayList<>();
    for (Object element : array(name, max)) {
      if (!(element instanceof String text)) {
        throw new JsonException(place(name) + "[" + texts.size() + "] must be a text");
      }
      texts.add(text);
    }
    return List.copyOf(texts);
  }

  /** Returns the members as they were read: texts, longs, truth values, maps, lists and null. */
  public Map<String, @Nullable Object> members() {
    return members;
  }

  private List<?> array(String name, int max) throws JsonException {
    List<?> elements =
        this.<List<?>>typed(name, List.class, "an array").orElseThrow(() -> missing(name));
    if (elements.size() > max) {
      throw new JsonException(
          place(name) + " has " + elements.size() + " elements, allowed " + max);
    }
    return elements;
  }

  private <T> Optional<T> typed(String name, Class<? super T> type, String wanted)
      throws JsonException {
    Object value = members.get(name);
    if (value != null && !type.isInstance(value)) {
      throw new JsonException(place(name) + " must be " + wanted);
    }
    @SuppressWarnings("unchecked") // Its class was asked.
    T typed = (T) value;
    return Optional.ofNullable(typed);
  }

  private static Optional<Map<String, @Nullable Object>> objectOf(
      @Nullable Object value, String place) throws JsonException {
    if (value != null && !(value instanceof Map<?, ?>)) {
      throw new JsonException(place + " must be an object");
    }
    @SuppressWarnings("unchecked") // The reader's maps are all of this type.
    Map<String, @Nullable Object> map = (Map<String, @Nullable Object>) value;
    return Optional.ofNullable(map);
  }

  private JsonException missing(String name) {
    return new JsonException(place(name) + " is missing");
  }

  private String place(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
