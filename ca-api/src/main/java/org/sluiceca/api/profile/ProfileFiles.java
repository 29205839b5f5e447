package org.sluiceca.api.profile;

import com.fasterxml.jackson.annotation.Nulls;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.sluiceca.api.platform.YamlAliases;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads profile files. A fault names the file, so that an operator finds it. */
public final class ProfileFiles {

  /** The profiles that come with the product. */
  public static final String CLASSPATH = "classpath:";

  private static final List<String> SHIPPED =
      List.of(
          "tls-server",
          "tls-client",
          "device",
          "short-lived",
          "ocsp-responder",
          "sub-ca",
          "root-ca");

  /** More than any installation names; a folder with more is the wrong folder. */
  private static final int FILES_MAX = 200;

  /** Twenty times the longest example. */
  public static final int FILE_BYTES_MAX = 64 * 1024;

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          // A hyphen with nothing behind it is a mistake, in every list and map.
          .changeDefaultNullHandling(n -> n.withContentNulls(Nulls.FAIL))
          .build();

  private ProfileFiles() {}

  /**
   * Reads every {@code *.yaml} of a folder, or the shipped profiles.
   *
   * @throws IllegalArgumentException with one line that names the file and the fault
   */
  public static ProfileCatalog read(String location) {
    try {
      return new ProfileCatalog(location.equals(CLASSPATH) ? shipped() : folder(Path.of(location)));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read profiles in " + location, e);
    }
  }

  /**
   * Finds a profile of a catalogue by the name that an operator gave.
   *
   * @throws IllegalArgumentException that says which there are
   */
  public static CertificateProfile named(ProfileCatalog catalog, String name) {
    return Optional.of(name)
        .filter(ProfileName::isValid)
        .flatMap(valid -> catalog.find(new ProfileName(valid)))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    String.format(
                        Locale.ROOT,
                        "no profile %s; there are %s",
                        name,
                        catalog.all().stream().map(CertificateProfile::name).toList())));
  }

  private static List<CertificateProfile> shipped() throws IOException {
    List<CertificateProfile> profiles = new ArrayList<>();
    for (String name : SHIPPED) {
      String resource = "/profiles/" + name + ".yaml";
      try (InputStream in = ProfileFiles.class.getResourceAsStream(resource)) {
        if (in == null) {
          throw new IOException("missing resource " + resource);
        }
        profiles.add(parse(resource, in.readAllBytes()));
      }
    }
    return profiles;
  }

  private static List<CertificateProfile> folder(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> listed = Files.list(folder)) {
      files = listed.filter(f -> f.toString().endsWith(".yaml")).sorted().toList();
    }
    if (files.isEmpty() || files.size() > FILES_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s holds %d profile files, allowed 1 to %d",
              folder,
              files.size(),
              FILES_MAX));
    }
    List<CertificateProfile> profiles = new ArrayList<>();
    for (Path file : files) {
      profiles.add(file(file));
    }
    return profiles;
  }

  /**
   * Reads one file.
   *
   * @throws IllegalArgumentException with one line that names the file and the fault
   */
  public static CertificateProfile file(Path file) throws IOException {
    if (Files.size(file) > FILE_BYTES_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "profile %s: %d bytes, allowed %d",
              file,
              Files.size(file),
              FILE_BYTES_MAX));
    }
    return parse(file.toString(), Files.readAllBytes(file));
  }

  /**
   * Reads the content of a file.
   *
   * @param file how a fault names it
   * @throws IllegalArgumentException with one line that names the file and the fault
   */
  public static CertificateProfile parse(String file, byte[] yaml) {
    try {
      ProfileFile read = YAML.readValue(yaml, ProfileFile.class);
      if (read == null) {
        throw new IllegalArgumentException("the file is empty");
      }
      YamlAliases.refuse(YAML, yaml);
      return read.validated(ContentDigest.of(YAML.readTree(yaml)));
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "profile "
              + file
              + ": "
              + ProfileFault.of(e, tree(yaml), new String(yaml, StandardCharsets.UTF_8)),
          e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("profile " + file + ": " + e.getMessage(), e);
    }
  }

  private static Optional<JsonNode> tree(byte[] yaml) {
    try {
      return Optional.of(YAML.readTree(yaml));
    } catch (JacksonException e) {
      // Not well-formed: the first fault says so.
      return Optional.empty();
    }
  }
}
