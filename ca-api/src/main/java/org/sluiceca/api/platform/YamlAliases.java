package org.sluiceca.api.platform;

import java.util.Locale;
import tools.jackson.core.JsonParser;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Refuses aliases in YAML files. The parser reads an alias as a text, its own name, instead of what
 * it refers to, so that a file would say something else than its author meant; and aliases of
 * aliases make a short file a long one.
 */
public final class YamlAliases {

  private YamlAliases() {}

  /**
   * Looks for the first alias.
   *
   * @throws IllegalArgumentException that names its line and says what to write
   * @throws tools.jackson.core.JacksonException if this is not well-formed YAML up to there
   */
  public static void refuse(YAMLMapper mapper, byte[] yaml) {
    try (JsonParser parser = mapper.createParser(yaml)) {
      while (parser.nextToken() != null) {
        if (parser instanceof YAMLParser aliased && aliased.isCurrentAlias()) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "line %d: *%s is an alias, which is not allowed here: write the value, in quotes"
                      + " if it begins with *",
                  parser.currentTokenLocation().getLineNr(),
                  parser.getString()));
        }
      }
    }
  }
}
