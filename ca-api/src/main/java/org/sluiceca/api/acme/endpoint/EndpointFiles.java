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
import java.util.stream.Stream;
import org.sluiceca.api.platform.YamlAliases;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.x509.OctetString;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The files of a node's folder that describe endpoints, read once. Immutable. */
public final class EndpointFiles {

  /** Of one file. */
  public static final int OCTETS_MAX = 64 * 1024;

  private static final int FILES_MAX = 200;

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
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
   * @throws InvalidEndpoint with every fault of it; of a file that is not well-formed, the first
   */
  public static AcmeEndpoint parse(byte[] content) {
    EndpointFaults faults = new EndpointFaults();
    Optional<AcmeEndpoint> endpoint = Optional.empty();
    try {
      YamlAliases.refuse(YAML, content);
      endpoint = endpoint(YAML.readTree(content), faults);
    } catch (JacksonException e) {
      faults.add(syntax(e));
    } catch (IllegalArgumentException e) {
      faults.add(String.valueOf(e.getMessage()));
    }
    if (endpoint.isEmpty() || !faults.isEmpty()) {
      throw faults.refusal();
    }
    return endpoint.get();
  }

  private static Optional<AcmeEndpoint> endpoint(JsonNode file, EndpointFaults faults) {
    if (file.isMissingNode() || file.isNull()) {
      faults.add("the file is empty");
    } else if (file instanceof ObjectNode keys) {
      FileShape.check(keys, EndpointFile.class, "", faults);
      return YAML.treeToValue(keys, EndpointFile.class).endpoint(faults);
    } else {
      faults.add("an endpoint's file consists of keys with values");
    }
    return Optional.empty();
  }

  /** In words of the file: the parser's own name classes of this program. */
  private static String syntax(JacksonException e) {
    return String.format(
        Locale.ROOT,
        "line %d: this is no YAML, a key stands twice, or it is nested too deeply",
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
