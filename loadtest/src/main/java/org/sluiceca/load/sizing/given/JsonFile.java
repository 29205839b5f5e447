package org.sluiceca.load.sizing.given;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An object of a JSON file. What is misspelt is an error, not a default. */
record JsonFile(String name, JsonNode node) {

  private static final int FILE_MAX = 1 << 20;

  /**
   * Reads a file.
   *
   * @throws InputException if it has no JSON object
   */
  static JsonFile read(Path file) {
    try {
      if (Files.size(file) > FILE_MAX) {
        throw new InputException(file + " is larger than 1 MB");
      }
      JsonNode root = JsonMapper.shared().readTree(Files.readString(file));
      if (!root.isObject()) {
        throw new InputException(file + " is no JSON object");
      }
      return new JsonFile(file.getFileName() + "", root);
    } catch (IOException e) {
      throw new InputException("cannot read " + file);
    } catch (JacksonException e) {
      throw new InputException(file + " is no JSON: " + e.getOriginalMessage());
    }
  }

  /** Returns the object with this name; one without members if there is none. */
  JsonFile part(String part) {
    return new JsonFile(name + ": " + part, node.path(part));
  }

  /**
   * Returns the objects of the array with this name; none if there is none.
   *
   * @throws InputException if it is something else
   */
  List<JsonFile> parts(String part) {
    JsonNode array = node.path(part);
    if (!array.isMissingNode()
        && !(array.isArray() && array.valueStream().allMatch(JsonNode::isObject))) {
      throw new InputException(Text.format("%s: %s is to be an array of objects", name, part));
    }
    return array.valueStream().map(each -> new JsonFile(name, each)).toList();
  }

  /**
   * Refuses all other members.
   *
   * @throws InputException if there is one
   */
  void knows(String... names) {
    List<String> known = Arrays.stream(names).sorted().toList();
    for (String member : node.propertyNames()) {
      if (!known.contains(member)) {
        throw new InputException(Text.format("%s: there is no '%s': %s", name, member, known));
      }
    }
  }

  boolean has(String member) {
    return node.has(member);
  }

  String text(String member, String otherwise) {
    return node.path(member).asString(otherwise);
  }

  double number(String member, double otherwise) {
    JsonNode value = node.path(member);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.isNumber()) {
      throw new InputException(member + " is to be a number");
    }
    return value.asDouble();
  }

  /**
   * Returns a whole number.
   *
   * @throws InputException if it is none
   */
  long whole(String member, long otherwise) {
    double value = number(member, (double) otherwise);
    if (value != Math.rint(value)) {
      throw new InputException(member + " is to be a whole number, not " + value);
    }
    return (long) value;
  }

  OptionalDouble number(String member) {
    return has(member) ? OptionalDouble.of(number(member, 0)) : OptionalDouble.empty();
  }

  /** Returns the numbers of this object, each by a kind of key. */
  Map<KeyKind, Double> byKind() {
    Map<KeyKind, Double> numbers = new EnumMap<>(KeyKind.class);
    for (String kind : node.propertyNames()) {
      numbers.put(KeyKind.of(kind), number(kind, 0));
    }
    return numbers;
  }
}
