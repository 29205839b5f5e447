package org.sluiceca.api.acme.endpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The endpoints of a node, read from the YAML files of a folder at its start. Immutable. */
public final class AcmeEndpoints {

  private static final int FILES_MAX = 200;
  private static final int FILE_OCTETS_MAX = 64 * 1024;

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private final Map<String, AcmeEndpoint> endpoints = new TreeMap<>();

  /** Serves these. */
  public AcmeEndpoints(Collection<AcmeEndpoint> all) {
    for (AcmeEndpoint endpoint : all) {
      if (endpoints.put(endpoint.name().value(), endpoint) != null) {
        throw new IllegalArgumentException("two endpoints have the name " + endpoint.name());
      }
    }
  }

  /**
   * Reads every {@code *.yaml} of a folder.
   *
   * @throws IllegalArgumentException with one line that names the file and the fault
   */
  public static AcmeEndpoints read(Path folder) {
    List<AcmeEndpoint> endpoints = new ArrayList<>();
    try (Stream<Path> listed = Files.list(folder)) {
      List<Path> files = listed.filter(f -> f.toString().endsWith(".yaml")).sorted().toList();
      if (files.size() > FILES_MAX) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "%s holds %d files, allowed %d", folder, files.size(), FILES_MAX));
      }
      for (Path file : files) {
        endpoints.add(file(file));
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot read endpoints in " + folder + " (" + e.getClass().getSimpleName() + ")", e);
    }
    return new AcmeEndpoints(endpoints);
  }

  private static AcmeEndpoint file(Path file) throws IOException {
    if (Files.size(file) > FILE_OCTETS_MAX) {
      throw new IllegalArgumentException("endpoint " + file + " is too long");
    }
    try {
      @Nullable EndpointFile read = YAML.readValue(Files.readAllBytes(file), EndpointFile.class);
      if (read == null) {
        throw new IllegalArgumentException("the file is empty");
      }
      return read.endpoint();
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "endpoint "
              + file
              + ": "
              + String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse(""),
          e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("endpoint " + file + ": " + e.getMessage(), e);
    }
  }

  /** Returns the endpoint of a name. */
  public Optional<AcmeEndpoint> find(String name) {
    return Optional.ofNullable(endpoints.get(name));
  }

  /** Returns all, by name. */
  public Collection<AcmeEndpoint> all() {
    return List.copyOf(endpoints.values());
  }
}
