package org.sluiceca.blackbox;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.sluiceca.blackbox.DocumentedOperation.Example;
import org.sluiceca.blackbox.Shape.Likeness;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The judge of an OpenAPI document's examples: whether they keep to their schemas, whether what was
 * answered is as they say, and which of them nobody has tried yet. For one thread.
 */
final class Examples {

  private final Shape shape;
  private final Map<String, DocumentedOperation> operations = new TreeMap<>();

  /** Examples that were sent and answered with success, and answers that were seen. */
  private final Set<String> tried = new TreeSet<>();

  /** Reads them out of an OpenAPI document. */
  Examples(JsonNode document) {
    shape = new Shape(document);
    for (var path : document.path("paths").properties()) {
      for (var method : path.getValue().properties()) {
        DocumentedOperation operation =
            new DocumentedOperation(
                shape, method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue());
        if (operations.put(operation.id(), operation) != null) {
          throw new IllegalArgumentException("two operations " + operation.id());
        }
      }
    }
  }

  /** Returns how many operations there are. */
  int size() {
    return operations.size();
  }

  /** Returns the request that an operation's first examples make. */
  ExampleCall call(String operationId) {
    DocumentedOperation operation = operations.get(operationId);
    if (operation == null) {
      throw new IllegalArgumentException("no operation " + operationId);
    }
    return ExampleCall.of(operation);
  }

  /** Returns what is wrong with the document by itself. */
  List<String> faults() {
    return operations.values().stream().flatMap(o -> o.faults().stream()).toList();
  }

  /** What is to be tried: an example of a parameter, or of a body of that media type. */
  static String sent(DocumentedOperation operation, String what, Example example) {
    return operation.id() + " sends " + what + " " + example.name();
  }

  private static String answered(DocumentedOperation operation, String status, String how) {
    return operation.id() + " answers " + status + (how.isEmpty() ? "" : " " + how);
  }

  /** Returns what was not tried yet: no example may be left, nor an answer of success. */
  Set<String> left() {
    Set<String> left = new TreeSet<>();
    for (DocumentedOperation operation : operations.values()) {
      for (JsonNode parameter : operation.parameters()) {
        String name = parameter.path("name").asString("");
        operation.examples(parameter).forEach(e -> left.add(sent(operation, name, e)));
      }
      for (var body : operation.bodies()) {
        operation
            .examples(body.getValue())
            .forEach(e -> left.add(sent(operation, body.getKey(), e)));
      }
      operation
          .successes()
          .forEach(
              (status, answer) -> {
                if (operation.media(answer).isEmpty()) {
                  left.add(answered(operation, status, ""));
                }
                operation.media(answer).forEach(m -> addAnswers(operation, status, m, left));
              });
    }
    left.removeAll(tried);
    return left;
  }

  private static void addAnswers(
      DocumentedOperation operation,
      String status,
      Map.Entry<String, JsonNode> media,
      Set<String> all) {
    List<Example> examples = operation.examples(media.getValue());
    if (examples.isEmpty()) {
      all.add(answered(operation, status, media.getKey()));
    }
    examples.forEach(e -> all.add(answered(operation, status, media.getKey() + " " + e.name())));
  }

  /**
   * Returns what the document says otherwise of the answer to a request, nothing if it is true;
   * what was in the request counts as tried then, and the example that the answer is most like.
   */
  List<String> judge(ExampleCall call, Answer answer) {
    DocumentedOperation operation = call.operation();
    String status = String.valueOf(answer.status());
    JsonNode response = operation.successes().get(status);
    if (response == null) {
      return List.of(operation.id() + ": no success is documented as " + answer);
    }
    List<String> faults = new ArrayList<>();
    for (var header : response.path("headers").properties()) {
      if (operation.shape().resolved(header.getValue()).path("required").asBoolean(false)
          && answer.header(header.getKey()).isBlank()) {
        faults.add("there is no " + header.getKey());
      }
    }
    String seen = "";
    if (response.has("content")) {
      String type = answer.mediaType();
      JsonNode media = response.path("content").path(type);
      seen = type;
      if (media.isMissingNode()) {
        faults.add("Content-Type " + type + " is not documented");
      } else {
        seen = (type + " " + judge(operation.examples(media), media, answer, faults)).strip();
      }
    } else if (answer.body().length > 0) {
      faults.add("there is content");
    }
    if (faults.isEmpty()) {
      tried.addAll(call.request().examples());
      tried.add(answered(operation, status, seen));
    }
    return faults.stream().map(fault -> answered(operation, status, "but " + fault)).toList();
  }

  /** Returns the name of the example that the content is most like; empty if there is none. */
  private String judge(List<Example> examples, JsonNode media, Answer answer, List<String> faults) {
    String type = answer.mediaType();
    if (type.equals(Api.JSON)) {
      return nearest(examples, media.path("schema"), answer.json(), faults);
    }
    if (type.equals(DocumentedOperation.NDJSON)) {
      JsonNode schema = media.path(DocumentedOperation.ITEM_SCHEMA);
      List<JsonNode> lines = DocumentedOperation.lines(answer.text());
      lines.forEach(line -> faults.addAll(shape.faults(schema, line)));
      return lines.isEmpty()
          ? ""
          : nearest(
              examples.stream()
                  .map(
                      e ->
                          new Example(
                              e.name(),
                              DocumentedOperation.lines(e.value().asString("")).getFirst(),
                              false))
                  .toList(),
              schema,
              lines.getFirst(),
              faults);
    }
    if (!examples.isEmpty() && !examples.getFirst().value().asString("").equals(answer.text())) {
      faults.add("it is another text: " + answer.text());
    }
    return examples.isEmpty() ? "" : examples.getFirst().name();
  }

  private String nearest(
      List<Example> examples, JsonNode schema, JsonNode answer, List<String> faults) {
    List<String> wrong = shape.faults(schema, answer);
    faults.addAll(wrong);
    if (examples.isEmpty()) {
      faults.add("there is no example");
      return "";
    }
    record Compared(String name, Likeness likeness) {}
    Compared best =
        examples.stream()
            .map(e -> new Compared(e.name(), shape.likeness(schema, e.value(), answer)))
            .min(
                Comparator.comparingInt((Compared c) -> c.likeness().differences().size())
                    .thenComparingInt(c -> c.likeness().distance()))
            .orElseThrow();
    faults.addAll(best.likeness().differences());
    return best.name();
  }

  /** Reads the document of this text. */
  static Examples of(String document) {
    return new Examples(JsonMapper.shared().readTree(document));
  }
}
