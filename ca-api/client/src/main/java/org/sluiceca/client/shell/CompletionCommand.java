package org.sluiceca.client.shell;

import java.util.concurrent.Callable;
import org.sluiceca.client.output.Console;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice completion SHELL}: a script that completes commands, options and files. */
@Command(
    name = "completion",
    description = "Print the script that completes commands in a shell.",
    footer = {
      "",
      "Example:",
      "  mkdir -p ~/.local/share/bash-completion/completions",
      "  sluice completion bash > ~/.local/share/bash-completion/completions/sluice"
    })
public final class CompletionCommand implements Callable<Integer> {

  /** The shells that have a script. */
  enum Shell {
    bash,
    zsh,
    fish,
    powershell
  }

  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "SHELL", description = "one of ${COMPLETION-CANDIDATES}")
  private Shell shell = Shell.bash;

  /** Prints on {@code console}. */
  public CompletionCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    CommandSpec root = spec.root();
    console.raw(
        switch (shell) {
          case bash -> AutoComplete.bash(root.name(), root.commandLine());
          case zsh ->
              ZshCompletion.of(root.name(), AutoComplete.bash(root.name(), root.commandLine()));
          case fish -> FishCompletion.of(root);
          case powershell -> PowerShellCompletion.of(root);
        });
    return 0;
  }
}
