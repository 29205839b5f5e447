package org.sluiceca.client.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice schema COMMAND}: the JSON Schema of what {@code --json} prints. */
@Command(
    name = "schema",
    description = {
      "Print the JSON Schema of what a command prints with --json.",
      "Version 2020-12 of JSON Schema; of JSON lines, it describes each line."
    },
    footer = {"", "Example:", "  sluice schema approval list"})
public final class SchemaCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "the command's words")
  private List<String> words = new ArrayList<>();

  /** Prints on {@code console}. */
  public SchemaCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    CommandSpec command = CommandTree.find(spec.root(), words);
    console.raw(
        schema(command)
            .orElseThrow(
                () ->
                    Failure.usage(
                        "'"
                            + CommandTree.path(command)
                            + "' prints no JSON; these do: "
                            + names())));
    return 0;
  }

  /** The schema of what the command prints with {@code --json}; empty if it has none. */
  public static Optional<String> schema(CommandSpec command) {
    String name = "/schemas/" + CommandTree.path(command).replace(' ', '-') + ".schema.json";
    try (InputStream file = SchemaCommand.class.getResourceAsStream(name)) {
      return file == null
          ? Optional.empty()
          : Optional.of(new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String names() {
    return CommandTree.all(spec.root()).stream()
        .filter(command -> schema(command).isPresent())
        .map(CommandTree::path)
        .collect(Collectors.joining(", "));
  }
}
