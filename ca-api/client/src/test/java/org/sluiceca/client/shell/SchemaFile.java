package org.sluiceca.client.shell;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A committed schema, by the validator that the project has not written itself. */
public final class SchemaFile {
  static final Path FOLDER = Path.of("src/main/resources/schemas");
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private SchemaFile() {}

  /** What the document breaks of the schema of this name, such as {@code profile-versions}. */
  public static List<Error> faults(String name, String document) throws IOException {
    return REGISTRY
        .getSchema(text(name))
        .validate(
            document,
            InputFormat.JSON,
            context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)));
  }

  /** What the schema breaks of JSON Schema 2020-12. */
  static List<Error> faults(String name) throws IOException {
    return REGISTRY
        .getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId()))
        .validate(text(name), InputFormat.JSON);
  }

  static String text(String name) throws IOException {
    return Files.readString(FOLDER.resolve(name + ".schema.json"));
  }
}
