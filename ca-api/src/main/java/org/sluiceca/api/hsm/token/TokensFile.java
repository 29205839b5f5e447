package org.sluiceca.api.hsm.token;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.route.TokenGroup;
import org.sluiceca.hsm.route.TokenSettings;
import org.sluiceca.hsm.settings.HsmSettings;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The file that lists a node's tokens, valid as a whole or not at all.
 *
 * @param defaults for what an entry does not say
 * @param queueCapacityMin the least capacity of each token's queue: after the other tokens have
 *     gone it holds every accepted request of the line
 */
public record TokensFile(Path path, TokenDefaults defaults, int queueCapacityMin) {

  /** Ten times what eight tokens need. */
  private static final int BYTES_MAX = 64 * 1024;

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /**
   * Its bytes as they are now.
   *
   * @throws IllegalArgumentException with one line when it cannot be read or is too large
   */
  public byte[] bytes() {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] read = in.readNBytes(BYTES_MAX + 1);
      if (read.length > BYTES_MAX) {
        throw new IllegalArgumentException(path + " has more than " + BYTES_MAX + " bytes");
      }
      return read;
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot read " + path + " (" + e.getClass().getSimpleName() + ")", e);
    }
  }

  /**
   * The tokens that these bytes list, in their order.
   *
   * @throws IllegalArgumentException with one line that names the entry and the fault
   */
  public List<TokenSettings> parse(byte[] bytes) {
    TokenEntry @Nullable [] entries = entries(bytes);
    int count = entries == null ? 0 : entries.length;
    if (entries == null || count == 0 || count > TokenGroup.TOKENS_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s lists %d tokens, allowed 1 to %d",
              path,
              count,
              TokenGroup.TOKENS_MAX));
    }
    List<TokenSettings> tokens = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Set<String> places = new HashSet<>();
    for (TokenEntry entry : entries) {
      String which = path + ", token " + (tokens.size() + 1) + ": ";
      try {
        TokenSettings token = settings(entry);
        check(names.add(token.name()), "the name " + token.name() + " is there before");
        HsmSettings hsm = token.hsm();
        check(
            places.add(hsm.module() + "\0" + hsm.tokenLabel()),
            "the token " + hsm.tokenLabel() + " is there before");
        tokens.add(token);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(which + e.getMessage(), e);
      }
    }
    return tokens;
  }

  private TokenSettings settings(@Nullable TokenEntry entry) {
    if (entry == null) {
      throw new IllegalArgumentException("it says nothing");
    }
    TokenSettings token = entry.settings(defaults);
    check(
        token.hsm().queueCapacity() >= queueCapacityMin,
        String.format(
            Locale.ROOT,
            "queue-capacity %d is below sluice.line.places %d: promises would find the lane full",
            token.hsm().queueCapacity(),
            queueCapacityMin));
    return token;
  }

  private TokenEntry @Nullable [] entries(byte[] bytes) {
    if (bytes.length == 0) {
      return null;
    }
    try {
      return YAML.readValue(bytes, TokenEntry[].class);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      throw new IllegalArgumentException(
          path
              + ": "
              + firstLine(e.getOriginalMessage())
              + (at == null ? "" : " at " + at.offsetDescription()),
          e);
    }
  }

  private static String firstLine(@Nullable String message) {
    return message == null ? "not a list of tokens" : message.lines().findFirst().orElse("");
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
