package org.sluiceca.client.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice man}: prints a manual page, or writes all of them. */
@Command(
    name = "man",
    description = "Print a manual page, or write all of them.",
    footer = {
      "",
      "Examples:",
      "  sluice man profile add | man -l -",
      "  sluice man --out ~/.local/share/man/man1"
    })
public final class ManCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "the command's words; without one, the page of sluice itself")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "write all pages there: sluice.1, sluice-enroll.1, …; DIR is made if need be")
  private @Nullable Path out;

  /** Prints on {@code console}. */
  public ManCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (out == null) {
      console.raw(ManPage.of(CommandTree.find(spec.root(), words)));
      return 0;
    }
    if (!words.isEmpty()) {
      throw Failure.usage("--out writes the pages of all commands: leave COMMAND out");
    }
    try {
      Files.createDirectories(out);
      for (CommandSpec one : CommandTree.all(spec.root())) {
        Path file = out.resolve(ManPage.name(one) + ".1");
        Files.writeString(file, ManPage.of(one), StandardCharsets.US_ASCII);
      }
    } catch (IOException e) {
      throw Failure.of("cannot write manual pages to " + out);
    }
    return 0;
  }
}
