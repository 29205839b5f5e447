package org.sluiceca.api.acme.endpoint;

import com.fasterxml.jackson.annotation.Nulls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.x509.OctetString;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The files of a node's folder that describe endpoints, read once. Immutable. */
public final class EndpointFiles {

  /** Of one file. */
  public static final int OCTETS_MAX = 64 * 1024;

  private static final int FILES_MAX = 200;

  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{1,40}");

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // An entry of a list without a value would reach code that expects one.
          .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
          .build();

  private final SortedMap<String, One> files;

  /**
   * A file.
   *
   * @param content its octets
   */
  public record One(AcmeEndpoint endpoint, OctetString content) {}

  private EndpointFiles(SortedMap<String, One> files) {
    this.files = files;
  }

  /** Returns no files. */
  public static EndpointFiles none() {
    return new EndpointFiles(new TreeMap<>());
  }

  /**
   * Reads every {@code *.yaml} of a folder.
   *
   * @throws IllegalArgumentException with one line that names the file and the fault
   */
  public static EndpointFiles read(Path folder) {
    SortedMap<String, One> all = new TreeMap<>();
    try (Stream<Path> listed = Files.list(folder)) {
      List<Path> files = listed.filter(f -> f.toString().endsWith(".yaml")).sorted().toList();
      if (files.size() > FILES_MAX) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "%s holds %d files, allowed %d", folder, files.size(), FILES_MAX));
      }
      for (Path file : files) {
        One one = file(file);
        if (all.put(one.endpoint().name().value(), one) != null) {
          throw new IllegalArgumentException(
              "two endpoints have the name " + one.endpoint().name());
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot read endpoints in " + folder + " (" + e.getClass().getSimpleName() + ")", e);
    }
    return new EndpointFiles(all);
  }

  private static One file(Path file) throws IOException {
    if (Files.size(file) > OCTETS_MAX) {
      throw new IllegalArgumentException("endpoint " + file + " is too long");
    }
    byte[] content = Files.readAllBytes(file);
    try {
      AcmeEndpoint endpoint = parse(content);
      endpoint.proofs().stream()
          .flatMap(proofs -> proofs.terms().perspectives().all().stream())
          .flatMap(perspective -> perspective.sourceFault().stream())
          .findFirst()
          .ifPresent(
              fault -> {
                throw new IllegalArgumentException(fault);
              });
      return new One(endpoint, OctetString.copyOf(content));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("endpoint " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads the content of a file.
   *
   * @throws IllegalArgumentException with one line that names the fault
   */
  public static AcmeEndpoint parse(byte[] content) {
    try {
      @Nullable EndpointFile read = YAML.readValue(content, EndpointFile.class);
      if (read == null) {
        throw new IllegalArgumentException("the file is empty");
      }
      return read.endpoint();
    } catch (JacksonException e) {
      throw new IllegalArgumentException(fault(e), e);
    }
  }

  /** In words of the file: the parser's own name classes of this program. */
  private static String fault(JacksonException e) {
    if (e instanceof UnrecognizedPropertyException unknown) {
      String key = String.valueOf(unknown.getPropertyName());
      return (KEY.matcher(key).matches() ? key : "a key") + " is not known in an endpoint's file";
    }
    if (e instanceof DatabindException) {
      return e.getPath().isEmpty()
          ? "an endpoint's file consists of keys with values"
          : e.getPath().getFirst().getPropertyName() + " does not have a value of its kind";
    }
    return String.format(
        Locale.ROOT,
        "line %d: this is no YAML, or a key stands twice",
        e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr()));
  }

  /** Returns the file of a name. */
  public Optional<One> find(EndpointName name) {
    return Optional.ofNullable(files.get(name.value()));
  }

  /** Returns all endpoints of the files, by name. */
  public List<AcmeEndpoint> endpoints() {
    return files.values().stream().map(One::endpoint).toList();
  }

  /** Returns all, by the name of the endpoint. */
  public Map<String, One> all() {
    return Map.copyOf(files);
  }
}
