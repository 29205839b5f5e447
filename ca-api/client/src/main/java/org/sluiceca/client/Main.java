package org.sluiceca.client;

import java.io.PrintWriter;
import java.io.Writer;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code sluice}. Exit codes: 0 ok, 1 failed, 2 bad usage. */
@Command(
    name = "sluice",
    description = "Client of the certificate authority Sluice.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  sluice enroll --help",
      "  sluice login prod --url https://ca.example.com:8443 \\",
      "    --ca-file root.pem --token-file web.token",
      "",
      "Exit codes: 0 done, 1 failed, 2 wrong command line."
    })
public final class Main {

  /** How picocli says that an option stands where the value of another one should. */
  private static final Pattern EXPECTED = Pattern.compile("for option '(--[a-z-]+)'");

  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, false, StandardCharsets.UTF_8);
    int status = run(out, err, arguments);
    System.exit(status);
  }

  /** The same without ending the process: for tests. */
  public static int run(PrintWriter out, PrintWriter err, String... arguments) {
    Console console = new Console(out, err);
    CommandLine line = commands(console, Commands.asked(arguments));
    line.setOut(out).setErr(err);
    line.setParameterExceptionHandler((e, words) -> refuse(console, e, words));
    line.setExecutionExceptionHandler((e, command, parsed) -> fail(console, e));
    line.setExecutionStrategy(Main::execute);
    int status = line.execute(arguments);
    out.flush();
    err.flush();
    return status;
  }

  /** All commands, with nowhere to print: for what only asks how they look. */
  static CommandLine commands() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return commands(new Console(nowhere, nowhere), Commands.all());
  }

  private static CommandLine commands(Console console, List<Class<?>> types) {
    Parts parts = new Parts(console);
    CommandLine line = new CommandLine(new Main(), parts);
    types.forEach(type -> line.addSubcommand(new CommandLine(type, parts)));
    return line.setUnmatchedOptionsAllowedAsOptionParameters(false);
  }

  /** A command line without a command is a mistake, and so is an option without its value. */
  private static int execute(ParseResult parsed) {
    for (ParseResult part = parsed; ; part = part.subcommand()) {
      for (OptionSpec option : part.matchedOptions()) {
        if (option.stringValues().contains("")) {
          throw new ParameterException(
              part.commandSpec().commandLine(), name(option) + " is empty");
        }
      }
      if (!part.hasSubcommand()) {
        boolean helped = part.isUsageHelpRequested() || part.isVersionHelpRequested();
        if (!helped && !(part.commandSpec().userObject() instanceof Callable)) {
          throw new ParameterException(
              part.commandSpec().commandLine(),
              part.commandSpec().qualifiedName(" ")
                  + " needs one of: "
                  + String.join(", ", part.commandSpec().subcommands().keySet()));
        }
        return new CommandLine.RunLast().execute(parsed);
      }
    }
  }

  private static int refuse(Console console, ParameterException e, String[] words) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName(" ");
    console.fail(fault(e, words) + " (" + command + " --help lists its options)");
    return Failure.USAGE;
  }

  private static String fault(ParameterException e, String[] words) {
    return switch (e) {
      case UnmatchedArgumentException unmatched -> unknown(unmatched);
      case OverwrittenOptionException twice -> name(twice.getOverwritten()) + " is given twice";
      case MissingParameterException missing ->
          misspelt(missing, words).orElseGet(() -> missing(missing));
      default -> String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    };
  }

  private static String unknown(UnmatchedArgumentException e) {
    Matcher withoutValue = EXPECTED.matcher(String.valueOf(e.getMessage()));
    if (withoutValue.find()) {
      return withoutValue.group(1) + " needs a value";
    }
    String word = e.getUnmatched().getFirst();
    String nearest = e.getSuggestions().isEmpty() ? "" : e.getSuggestions().getFirst();
    String hint = nearest.isEmpty() ? "" : ": did you mean '" + nearest + "'?";
    if (word.startsWith("-")) {
      return "unknown option '" + word + "'" + hint;
    }
    boolean isGroup = !e.getCommandLine().getSubcommands().isEmpty();
    return isGroup
        ? "unknown command '" + word + "'" + hint
        : name(e) + " takes no argument more: '" + word + "'";
  }

  /** What is missing may be there under a wrong name: that is then what to say. */
  private static Optional<String> misspelt(MissingParameterException e, String[] words) {
    Map<String, OptionSpec> known = e.getCommandLine().getCommandSpec().optionsMap();
    return Arrays.stream(words)
        .filter(word -> word.startsWith("--") && word.endsWith("=") && word.length() > 3)
        .map(word -> word.substring(0, word.length() - 1) + " is empty")
        .findFirst()
        .or(() -> unknown(words, known));
  }

  private static Optional<String> unknown(String[] words, Map<String, OptionSpec> known) {
    return Arrays.stream(words)
        .filter(word -> word.startsWith("--"))
        .map(word -> word.split("=", 2)[0])
        .filter(name -> !known.containsKey(name))
        .findFirst()
        .map(name -> "unknown option '" + name + "'");
  }

  private static String missing(MissingParameterException e) {
    List<ArgSpec> missing = e.getMissing();
    if (missing.size() == 1 && missing.getFirst() instanceof OptionSpec option) {
      boolean given = String.valueOf(e.getMessage()).contains("parameter for option");
      return given
          ? name(option) + " needs a value"
          : e.getCommandLine().getCommandName()
              + " needs "
              + name(option)
              + " "
              + option.paramLabel();
    }
    return name(e) + " needs " + missing.stream().map(Main::name).collect(Collectors.joining(" "));
  }

  /** The command without the program's own name. */
  private static String name(ParameterException e) {
    String all = e.getCommandLine().getCommandSpec().qualifiedName(" ");
    return all.substring(all.indexOf(' ') + 1);
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  private static int fail(Console console, Exception e) {
    if (e instanceof Failure failure) {
      console.fail(String.valueOf(failure.getMessage()));
      return failure.exitCode();
    }
    console.fail("a fault of this program: " + e);
    return Failure.FAILED;
  }

  /** What the jar says of itself. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"sluice " + (version == null ? "(not from a jar)" : version)};
    }
  }

  /** Gives each command its console. */
  private record Parts(Console console) implements CommandLine.IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
      try {
        Constructor<K> constructor = type.getDeclaredConstructor(Console.class);
        constructor.setAccessible(true);
        return constructor.newInstance(console);
      } catch (NoSuchMethodException e) {
        return CommandLine.defaultFactory().create(type);
      }
    }
  }
}
