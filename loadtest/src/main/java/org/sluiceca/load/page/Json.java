package org.sluiceca.load.page;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** Documents for programs. NaN and infinities are null: JSON has no number for them. */
public final class Json {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Json() {}

  /** Returns an empty document. */
  public static ObjectNode object() {
    return JSON.createObjectNode();
  }

  /** Returns records, lists and maps as a part of a document. */
  public static JsonNode tree(Object value) {
    return JSON.valueToTree(value);
  }

  /** Returns the document of a tree, records, lists or maps. */
  public static String text(Object value) {
    JsonNode tree = tree(value);
    nullInfinite(tree);
    return JSON.writeValueAsString(tree) + "\n";
  }

  private static void nullInfinite(JsonNode node) {
    node.forEach(Json::nullInfinite);
    if (node instanceof ObjectNode object) {
      object.propertyNames().stream()
          .filter(name -> isNone(object.path(name)))
          .toList()
          .forEach(object::putNull);
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        if (isNone(array.path(i))) {
          array.set(i, NullNode.getInstance());
        }
      }
    }
  }

  private static boolean isNone(JsonNode node) {
    return node.isFloatingPointNumber() && !Double.isFinite(node.asDouble());
  }
}
