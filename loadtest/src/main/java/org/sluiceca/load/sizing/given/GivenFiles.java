package org.sluiceca.load.sizing.given;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.MutableConfigOverride;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads demands, machines and models of HSMs from JSON. What is misspelt is an error, not a
 * default.
 */
public final class GivenFiles {

  private static final int FILE_MAX = 1 << 20;

  /** What a demand says that does not say it. */
  private static final Map<String, Number> DEMAND =
      Map.of(
          "peakFactor", 3,
          "handshakesPerRequest", 1,
          "handshakesWithinSeconds", 30,
          "revokedPerYear", 0.01,
          "ocspLifetimeHours", 24,
          "regions", 1,
          "spare", 1);

  private static final Map<String, Object> MACHINE =
      Map.of(
          "name", "a machine without a name",
          "nodeMicros", Map.of(),
          "handshakeMicros", Map.of(),
          "memory", Map.of(),
          "databaseBytes", Map.of());

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withConfigOverride(Map.class, GivenFiles::emptyIfAbsent)
          .withConfigOverride(List.class, GivenFiles::emptyIfAbsent)
          .withConfigOverride(String.class, GivenFiles::emptyIfAbsent)
          .build();

  private GivenFiles() {}

  private static void emptyIfAbsent(MutableConfigOverride of) {
    var ignored = of.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY));
  }

  private record Models(String about, List<Model> models) {}

  private record Model(
      String name,
      String about,
      String source,
      String dated,
      Map<KeyKind, Double> perSecond,
      OptionalInt engines) {}

  /**
   * Reads a demand.
   *
   * @throws InputException if the file is none
   */
  public static Demand demand(Path file) {
    return read(file, DEMAND, Demand.class);
  }

  /**
   * Reads a machine's costs.
   *
   * @throws InputException if the file has not all of them
   */
  public static Machine machine(Path file) {
    return read(file, MACHINE, Machine.class);
  }

  /**
   * Reads one model of a file of figures that others have published.
   *
   * @param engines how many signatures it makes at once; by the file if empty, else 1
   * @throws InputException if the file has no such model, or a model without its source
   */
  public static Hsm model(Path file, String name, OptionalInt engines) {
    List<Model> models = read(file, Map.of(), Models.class).models();
    for (Model each : models) {
      if (each.source().isBlank() || each.dated().isBlank()) {
        throw new InputException(each.name() + " has no source and date");
      }
    }
    Model model =
        models.stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new InputException(
                        Text.format(
                            "no model '%s': %s", name, models.stream().map(Model::name).toList())));
    return new Hsm(
        name,
        model.perSecond(),
        engines.orElse(model.engines().orElse(1)),
        Text.format("published, for ideal clients: %s (%s)", model.source(), model.dated()));
  }

  private static <T> T read(Path file, Map<String, ?> otherwise, Class<T> type) {
    try {
      if (Files.size(file) > FILE_MAX) {
        throw new InputException(file + " is larger than 1 MB");
      }
      JsonNode given = JSON.readTree(Files.readString(file));
      if (!given.isObject()) {
        throw new InputException(file + " is no JSON object");
      }
      requireKnown(file, given, type);
      ObjectNode all = JSON.valueToTree(otherwise);
      return JSON.treeToValue(all.setAll((ObjectNode) given), type);
    } catch (IOException e) {
      throw new InputException("cannot read " + file);
    } catch (JacksonException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof InputException input) {
          throw input;
        }
      }
      throw new InputException(file.getFileName() + ": " + said(e));
    }
  }

  /** Jackson would make the record before it missed what is misspelt. */
  private static void requireKnown(Path file, JsonNode given, Class<?> type) {
    List<String> known =
        Stream.concat(
                Stream.of(type.getRecordComponents()).flatMap(GivenFiles::names),
                Stream.ofNullable(type.getAnnotation(JsonIgnoreProperties.class))
                    .flatMap(ignored -> Stream.of(ignored.value())))
            .sorted()
            .toList();
    for (String member : given.propertyNames()) {
      if (!known.contains(member)) {
        throw new InputException(
            Text.format("%s: there is no '%s': %s", file.getFileName(), member, known));
      }
    }
    for (RecordComponent part : type.getRecordComponents()) {
      Class<?> wanted =
          part.getGenericType() instanceof ParameterizedType of
                  && of.getActualTypeArguments()[0] instanceof Class<?> element
              ? element
              : part.getType();
      if (wanted.isRecord()) {
        names(part)
            .map(given::path)
            .flatMap(GivenFiles::objects)
            .forEach(object -> requireKnown(file, object, wanted));
      }
    }
  }

  private static Stream<JsonNode> objects(JsonNode node) {
    return node.isArray() ? node.valueStream() : Stream.of(node);
  }

  private static Stream<String> names(RecordComponent part) {
    JsonProperty name = part.getAccessor().getAnnotation(JsonProperty.class);
    JsonAlias other = part.getAccessor().getAnnotation(JsonAlias.class);
    return other == null
        ? Stream.of(name == null ? part.getName() : name.value())
        : Stream.of(other.value());
  }

  private static String said(JacksonException e) {
    if (!(e instanceof MismatchedInputException mismatch) || mismatch.getTargetType().isEnum()) {
      return "not the JSON that is wanted: " + e.getOriginalMessage();
    }
    String name =
        e.getPath().stream()
            .map(JacksonException.Reference::getPropertyName)
            .map(String::valueOf)
            .collect(Collectors.joining("."));
    Class<?> wanted = mismatch.getTargetType();
    if (wanted == int.class || wanted == long.class) {
      return name + " is to be a whole number";
    }
    return name
        + " is to be "
        + (wanted.getSimpleName().toLowerCase(Locale.ROOT).endsWith("double")
            ? "a number"
            : "an array of objects");
  }
}
