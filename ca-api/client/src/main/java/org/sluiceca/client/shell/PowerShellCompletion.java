package org.sluiceca.client.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The completion script for PowerShell 5.1 and later: a table of the commands, and one completer
 * that looks into it ({@code Register-ArgumentCompleter -Native}). Where it offers nothing
 * PowerShell completes files by itself. ASCII alone: version 5.1 reads a file without a mark in the
 * system's code page.
 */
final class PowerShellCompletion {
  private static final String COMPLETER =
      """
          $path = ''
          $option = ''
          foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
              if ($element.Extent.EndOffset -ge $cursorPosition) { break }
              $word = $element.ToString()
              $longer = "$path $word".Trim()
              if ($commands.ContainsKey($longer)) { $path = $longer }
              $option = $word
          }
          $known = $commands[$path]
          if ($known.lists.ContainsKey($option)) {
              $offered = $known.lists[$option]
          } elseif ($wordToComplete.StartsWith('-')) {
              $offered = $known.options
          } else {
              $offered = $known.words
          }
          foreach ($one in $offered) {
              if ($one[0].StartsWith($wordToComplete, 'OrdinalIgnoreCase')) {
                  [System.Management.Automation.CompletionResult]::new($one[0], $one[0], 'ParameterValue', $one[1])
              }
          }
      }
      """;

  private final StringBuilder script = new StringBuilder();

  private PowerShellCompletion() {}

  static String of(CommandSpec root) {
    return new PowerShellCompletion().script(root);
  }

  private String script(CommandSpec root) {
    line("# Completion of " + root.name() + " for PowerShell.");
    line(
        "Register-ArgumentCompleter -Native -CommandName "
            + quoted(root.name())
            + " -ScriptBlock {");
    line("    param($wordToComplete, $commandAst, $cursorPosition)");
    line("    $commands = @{");
    CommandTree.visible(root).forEach(this::command);
    line("    }");
    script.append(COMPLETER);
    return script.toString();
  }

  private void command(CommandSpec spec) {
    line("        " + quoted(CommandTree.path(spec)) + " = @{");
    List<String> words = new ArrayList<>();
    for (CommandSpec below : CommandTree.visible(spec)) {
      if (spec.equals(below.parent())) {
        words.add(offer(below.name(), CommandTree.summary(below)));
      }
    }
    for (PositionalParamSpec positional : spec.positionalParameters()) {
      CommandTree.words(positional)
          .forEach(word -> words.add(offer(word, positional.paramLabel())));
    }
    list("            ", "words", words);
    List<OptionSpec> options = spec.options().stream().filter(o -> !o.hidden()).toList();
    list(
        "            ",
        "options",
        options.stream()
            .flatMap(
                option ->
                    List.of(option.names()).stream()
                        .map(name -> offer(name, CommandTree.text(option.description()))))
            .toList());
    line("            lists = @{");
    options.forEach(this::lists);
    line("            }");
    line("        }");
  }

  /** The words that may follow an option; none, so that files are offered, where any text may. */
  private void lists(OptionSpec option) {
    if (option.arity().max() > 0) {
      List<String> words =
          CommandTree.words(option).stream().map(word -> offer(word, option.paramLabel())).toList();
      for (String name : option.names()) {
        list("                ", quoted(name), words);
      }
    }
  }

  /** Commas keep a list of one pair from becoming the pair. */
  private void list(String indent, String name, List<String> offers) {
    line(
        indent
            + name
            + " = @("
            + offers.stream().map(o -> "\n" + indent + "    ," + o).collect(Collectors.joining())
            + (offers.isEmpty() ? ")" : "\n" + indent + ")"));
  }

  /** A tooltip is never empty: PowerShell refuses that. */
  private static String offer(String text, String tooltip) {
    return "@(" + quoted(text) + ", " + quoted(tooltip.isEmpty() ? text : tooltip) + ")";
  }

  private static String quoted(String text) {
    String ascii = text.replace("\u2026", "...").replaceAll("[^ -~]", "?");
    return "'" + ascii.replace("'", "''") + "'";
  }

  private void line(String line) {
    script.append(line).append('\n');
  }
}
