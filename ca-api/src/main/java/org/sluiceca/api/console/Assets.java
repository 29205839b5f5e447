package org.sluiceca.api.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.sluiceca.api.auth.Authenticator;
import org.sluiceca.core.x509.OctetString;
import org.springframework.core.io.ClassPathResource;

/**
 * The files that pages refer to, out of the node's own jars. Each is read when it is first asked
 * for. Its URL has a part of its digest, so that browsers may keep it. Thread-safe.
 */
public final class Assets {

  private static final String OURS = "console/assets/";
  private static final String UPLOT = "META-INF/resources/webjars/uplot/1.6.30/dist/";

  /** Where each is. */
  private static final Map<String, String> RESOURCES =
      Map.of(
          "console.css", OURS + "console.css",
          "live.js", OURS + "live.js",
          "enroll.js", OURS + "enroll.js",
          "work.css", OURS + "work.css",
          "hour.js", OURS + "hour.js",
          "icon.svg", OURS + "icon.svg",
          "uplot.css", UPLOT + "uPlot.min.css",
          "uplot.js", UPLOT + "uPlot.iife.min.js");

  private static final int DIGEST_OCTETS = 8;

  private final ConcurrentMap<String, Asset> read = new ConcurrentHashMap<>();

  /** A file, with the part of its digest that its URL has. */
  record Asset(String mediaType, OctetString content, String digest) {}

  /** Returns a file; empty if there is none of that name. */
  Optional<Asset> find(String name) {
    String resource = RESOURCES.get(name);
    return resource == null
        ? Optional.empty()
        : Optional.of(read.computeIfAbsent(name, key -> load(key, resource)));
  }

  /** Returns the URL of a file; for templates. */
  public String url(String name) {
    return ConsolePaths.ASSETS + find(name).orElseThrow().digest() + "/" + name;
  }

  private static Asset load(String name, String resource) {
    try {
      byte[] octets = new ClassPathResource(resource).getContentAsByteArray();
      String digest =
          HexFormat.of().formatHex(Authenticator.sha256(octets).octets(), 0, DIGEST_OCTETS);
      return new Asset(mediaType(name), OctetString.copyOf(octets), digest);
    } catch (IOException e) {
      throw new UncheckedIOException("a file of the console cannot be read", e);
    }
  }

  private static String mediaType(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "css" -> "text/css;charset=UTF-8";
      case "js" -> "text/javascript;charset=UTF-8";
      default -> "image/svg+xml";
    };
  }
}
