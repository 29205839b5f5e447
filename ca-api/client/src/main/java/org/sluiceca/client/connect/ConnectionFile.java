package org.sluiceca.client.connect;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.key.PrivateFile;
import org.sluiceca.client.output.Failure;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The connections that {@code sluice login} keeps, a JSON document in the user's configuration
 * folder. It names files that hold tokens and keys; it holds none itself. Not thread-safe.
 */
public final class ConnectionFile {
  private static final int OCTETS_MAX = 1 << 20;
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Path file;
  private final Map<String, Entry> entries = new TreeMap<>();
  private @Nullable String standard;

  /**
   * A connection as it is kept.
   *
   * @param urls of the nodes
   * @param caFile PEM, or null for the system's
   * @param tokenFile of the requester, or null
   * @param adminTokenFile of an officer or administrator, or null
   * @param clientCert PEM, or null
   * @param clientKey PEM, or null
   */
  public record Entry(
      List<String> urls,
      @Nullable String caFile,
      @Nullable String tokenFile,
      @Nullable String adminTokenFile,
      @Nullable String clientCert,
      @Nullable String clientKey) {}

  /** Reads the file, if there is one. */
  public ConnectionFile(Path file) {
    this.file = file;
    if (Files.exists(file)) {
      read();
    }
  }

  /** The file of the user who runs this command. */
  public static ConnectionFile ofUser() {
    return new ConnectionFile(
        place(
            System.getenv(),
            System.getProperty("os.name", ""),
            Path.of(System.getProperty("user.home", "."))));
  }

  /**
   * Where the file is: SLUICE_CONNECTIONS, else sluice/connections.json in XDG_CONFIG_HOME or
   * ~/.config, on Windows in APPDATA.
   */
  public static Path place(Map<String, String> environment, String osName, Path home) {
    String named = environment.get("SLUICE_CONNECTIONS");
    if (named != null && !named.isEmpty()) {
      return Path.of(named);
    }
    boolean windows = osName.toLowerCase(Locale.ROOT).startsWith("windows");
    String folder = environment.get(windows ? "APPDATA" : "XDG_CONFIG_HOME");
    Path base =
        folder != null && !folder.isEmpty()
            ? Path.of(folder)
            : home.resolve(windows ? "AppData/Roaming" : ".config");
    return base.resolve("sluice").resolve("connections.json");
  }

  /** The connection of this name, or, without a name, the one that is used by default. */
  public Optional<Entry> find(@Nullable String name) {
    String wanted = name == null ? standard : name;
    return Optional.ofNullable(wanted == null ? null : entries.get(wanted));
  }

  /** All connections by their names. */
  public Map<String, Entry> all() {
    return Map.copyOf(entries);
  }

  /** The name of the default connection. */
  public Optional<String> standard() {
    return Optional.ofNullable(standard);
  }

  /** Adds or replaces; the first one becomes the default. */
  public void put(String name, Entry entry, boolean asStandard) {
    entries.put(name, entry);
    if (asStandard || standard == null) {
      standard = name;
    }
  }

  /** Removes a connection; false if there was none of that name. */
  public boolean remove(String name) {
    if (name.equals(standard)) {
      standard = null;
    }
    return entries.remove(name) != null;
  }

  /** Replaces the file whole; only its owner can read it. */
  public void save() {
    ObjectNode root = MAPPER.createObjectNode();
    if (standard != null) {
      root.put("default", standard);
    }
    ObjectNode all = root.putObject("connections");
    entries.forEach(
        (name, entry) -> {
          ObjectNode one = all.putObject(name);
          ArrayNode urls = one.putArray("urls");
          entry.urls().forEach(urls::add);
          putText(one, "caFile", entry.caFile());
          putText(one, "tokenFile", entry.tokenFile());
          putText(one, "adminTokenFile", entry.adminTokenFile());
          putText(one, "clientCert", entry.clientCert());
          putText(one, "clientKey", entry.clientKey());
        });
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
    } catch (IOException e) {
      throw Failure.of("cannot make the folder of " + file + ": " + e.getMessage());
    }
    PrivateFile.write(
        file, (MAPPER.writeValueAsString(root) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void putText(ObjectNode node, String name, @Nullable String value) {
    if (value != null) {
      node.put(name, value);
    }
  }

  private void read() {
    try {
      if (Files.size(file) > OCTETS_MAX) {
        throw Failure.of(file + " is too long for a list of connections");
      }
      JsonNode root = MAPPER.readTree(Files.readAllBytes(file));
      standard = text(root, "default");
      for (Map.Entry<String, JsonNode> one : root.path("connections").properties()) {
        entries.put(one.getKey(), entry(one.getValue()));
      }
    } catch (IOException | JacksonException e) {
      throw Failure.of("cannot read the connections in " + file + ": " + firstLine(e));
    }
  }

  private static Entry entry(JsonNode node) {
    List<String> urls = new ArrayList<>();
    node.path("urls").values().forEach(url -> urls.add(url.asString("")));
    return new Entry(
        urls,
        text(node, "caFile"),
        text(node, "tokenFile"),
        text(node, "adminTokenFile"),
        text(node, "clientCert"),
        text(node, "clientKey"));
  }

  private static @Nullable String text(JsonNode node, String name) {
    String value = node.path(name).asString("");
    return value.isEmpty() ? null : value;
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
