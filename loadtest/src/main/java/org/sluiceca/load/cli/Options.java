package org.sluiceca.load.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The options of a command, each with a value, and the words between them. */
public final class Options {

  private final ParseResult parsed;

  private Options(ParseResult parsed) {
    this.parsed = parsed;
  }

  /**
   * Reads arguments.
   *
   * @param known the options that the command has, with blanks between them
   * @throws InputException if an option is not known, has no value, or is given twice
   */
  public static Options parse(String known, String... arguments) {
    CommandSpec spec = CommandSpec.create();
    Stream.of(known.split(" ", -1))
        .filter(name -> !name.isEmpty())
        .forEach(name -> spec.addOption(OptionSpec.builder(name).type(String.class).build()));
    spec.addPositional(
        PositionalParamSpec.builder()
            .arity("0..*")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .build());
    try {
      // An argument that begins with @ is a word, and not a file of arguments.
      return new Options(new CommandLine(spec).setExpandAtFiles(false).parseArgs(arguments));
    } catch (ParameterException e) {
      throw new InputException(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the words that belong to no option. */
  public List<String> words() {
    return parsed.matchedPositionalValue(0, List.of());
  }

  /** Returns an option's value, if it was given. */
  public Optional<String> find(String name) {
    return Optional.ofNullable(parsed.matchedOptionValue(name, null));
  }

  /** Returns an option's value, or {@code otherwise}. */
  public String text(String name, String otherwise) {
    return find(name).orElse(otherwise);
  }

  /**
   * Returns an option's value.
   *
   * @throws InputException if it was not given
   */
  public String text(String name) {
    return find(name).orElseThrow(() -> new InputException("missing option: " + name));
  }

  /** Returns an option's value as a path; it must have been given. */
  public Path path(String name) {
    return Path.of(text(name));
  }

  /** Returns an option's value as a whole number; it must have been given. */
  public int whole(String name) {
    double number = number(name, text(name));
    if (number != (int) number) {
      throw new InputException(name + " is to be a whole number, not '" + text(name) + "'");
    }
    return (int) number;
  }

  /** Returns an option's value as a whole number, if it was given. */
  public OptionalInt findWhole(String name) {
    return find(name).isPresent() ? OptionalInt.of(whole(name)) : OptionalInt.empty();
  }

  /** Returns an option's value as a number, if it was given. */
  public OptionalDouble findNumber(String name) {
    return find(name).stream().mapToDouble(text -> number(name, text)).findFirst();
  }

  private static double number(String name, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new InputException(name + " is to be a number, not '" + text + "'");
    }
  }
}
