package org.sluiceca.api.cli.setup;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.cli.ceremony.CeremonyCommand;
import org.sluiceca.api.cli.setup.Setup.Switches;
import org.sluiceca.api.cli.setup.answer.Answers;
import org.sluiceca.api.cli.setup.answer.Dialogue;
import org.sluiceca.api.cli.setup.answer.NodeEnv;
import org.sluiceca.api.cli.setup.answer.PrivateFiles;
import org.sluiceca.api.cli.setup.answer.Sections;
import org.sluiceca.api.cli.setup.answer.SetupException;
import org.sluiceca.api.cli.setup.answer.Sources;
import org.sluiceca.api.cli.setup.answer.Terminal;
import org.sluiceca.api.cli.setup.question.Question;
import org.sluiceca.api.cli.setup.store.DatabaseCheck;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code sluice setup}: from a database and initialised tokens to the files with which a node
 * starts. The options are the questions of {@link Question}.
 */
public final class SetupCommand {

  private static final String CONFIG_DIR = "--config-dir";
  private static final String OUT_DIR = "--out-dir";
  private static final String NON_INTERACTIVE = "--non-interactive";
  private static final String CHECK = "--check";
  private static final String REPLACE = "--replace";
  private static final String YES = "--yes";
  private static final String NO_CALIBRATE = "--no-calibrate";
  private static final String NEW_CREDENTIALS = "--new-credentials";

  private static final int FAILED = 1;

  private SetupCommand() {}

  /** Runs it and exits with its code. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    CeremonyCommand.quietLibraries();
    System.exit(commandLine().execute(arguments));
  }

  /** Returns the program, which prints on the standard outputs unless it is given others. */
  static CommandLine commandLine() {
    return commandLine(
        new Surroundings(
            Terminal::of,
            SetupCommand::ceremony,
            new DatabaseCheck(DatabaseCheck.Requirements.OF_A_NODE, InstantSource.system())));
  }

  /** What a run speaks to: the operator, the ceremony's steps, the database. */
  record Surroundings(Operator operator, Ceremony ceremony, DatabaseCheck databases) {

    /** Opens the dialogue, which asks only if that is wanted. */
    interface Operator {
      Dialogue open(PrintWriter out, boolean mayAsk);
    }

    /** Runs a step; returns why it failed. */
    interface Ceremony {
      Optional<String> run(PrintWriter out, List<String> words);
    }
  }

  static CommandLine commandLine(Surroundings surroundings) {
    CommandLine command = new CommandLine(spec());
    return command.setExecutionStrategy(
        parsed -> {
          Integer help = CommandLine.executeHelpRequest(parsed);
          return help != null ? help : run(command, parsed, surroundings);
        });
  }

  private static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("setup");
    spec.mixinStandardHelpOptions(true);
    spec.usageMessage()
        .description(
            "Asks, or takes as options, what a node needs; checks each answer; makes what is missing"
                + " in database and tokens by the steps of the key ceremony; writes node.env and its"
                + " secrets last. Stopped anywhere, it goes on when it is run again.")
        .footer(
            "",
            "Secrets are in files, or typed at a terminal. Exit codes: 0 done; 1 a check or a step"
                + " failed; 2 an answer is missing or cannot be one; 4 the CSR waits for the other"
                + " CA's certificate; 5 stopped by the operator.");
    for (Question question : Question.values()) {
      OptionSpec.Builder option =
          OptionSpec.builder(question.option())
              .type(String.class)
              .paramLabel(question.isSecret() ? "FILE" : "VALUE")
              .description(
                  question.text()
                      + question.usual().map(usual -> " [" + usual + "]").orElse("")
                      + ".");
      spec.addOption(option.build());
    }
    folder(spec, CONFIG_DIR, "The folder of node.env, issuing.pin and service.password.");
    folder(
        spec,
        OUT_DIR,
        "The folder of certificates, audit.pem, root.crl and first credentials; without it"
            + " ceremony in the other one.");
    flag(spec, NON_INTERACTIVE, "Asks nothing: a missing answer is an error.");
    flag(spec, CHECK, "Only checks, and says what is there and what is missing.");
    flag(spec, REPLACE, "Changes settings and secrets that are there and differ.");
    flag(spec, YES, "Does not ask before the first change.");
    flag(spec, NO_CALIBRATE, "Does not measure the token.");
    flag(spec, NEW_CREDENTIALS, "Makes first credentials although there are administrators.");
    return spec;
  }

  private static void folder(CommandSpec spec, String name, String description) {
    spec.addOption(
        OptionSpec.builder(name)
            .type(Path.class)
            .paramLabel("DIR")
            .description(description)
            .build());
  }

  private static void flag(CommandSpec spec, String name, String description) {
    spec.addOption(OptionSpec.builder(name).type(boolean.class).description(description).build());
  }

  private static int run(CommandLine command, ParseResult parsed, Surroundings surroundings) {
    try (PrivateFiles typed = new PrivateFiles()) {
      run(command.getOut(), parsed, surroundings, typed);
      return 0;
    } catch (SetupException e) {
      complain(command, e.getMessage());
      return e.exitCode();
    } catch (LedgerUnavailable | IllegalStateException e) {
      complain(command, e.getMessage());
      return FAILED;
    } catch (IOException e) {
      complain(command, e + ". Run setup as root, or name other folders");
      return FAILED;
    }
  }

  /** What a database or a token said may be part of it. */
  private static void complain(CommandLine command, @Nullable String message) {
    command.getErr().println("setup: " + Terminal.printable(String.valueOf(message)));
  }

  private static void run(
      PrintWriter out, ParseResult parsed, Surroundings surroundings, PrivateFiles typed)
      throws IOException {
    Path config =
        parsed.matchedOptionValue(CONFIG_DIR, Path.of("/etc/sluice")).toAbsolutePath().normalize();
    Path folder =
        parsed.matchedOptionValue(OUT_DIR, config.resolve("ceremony")).toAbsolutePath().normalize();
    Places places = new Places(config, folder);
    boolean isCheck = parsed.matchedOptionValue(CHECK, false);
    if (!Files.isDirectory(config) || !(isCheck || Files.isWritable(config))) {
      throw new SetupException(
          SetupException.Kind.FAILED,
          config
              + " is no folder that can be written: run setup as root, or name it by "
              + CONFIG_DIR);
    }
    Dialogue dialogue =
        surroundings
            .operator()
            .open(out, !isCheck && !parsed.matchedOptionValue(NON_INTERACTIVE, false));
    NodeEnv before = NodeEnv.read(places.nodeEnv());
    Sources sources = new Sources(given(parsed), places.draft(), before);
    if (sources.hasDraft()) {
      dialogue.say("going on with the answers in " + places.draft());
    }
    Answers answers = new Answers(dialogue, sources, typed);
    new Setup(
            dialogue,
            answers,
            new Interview(
                answers,
                dialogue,
                new Sections(answers, dialogue, !isCheck),
                places,
                surroundings.databases(),
                parsed.matchedOptionValue(NEW_CREDENTIALS, false)),
            places,
            before,
            words -> surroundings.ceremony().run(out, words),
            new Switches(
                isCheck,
                parsed.matchedOptionValue(REPLACE, false),
                !parsed.matchedOptionValue(YES, false),
                !parsed.matchedOptionValue(NO_CALIBRATE, false)))
        .run();
  }

  /** Paths count from where the operator is; a node has another working directory. */
  private static Map<Question, String> given(ParseResult parsed) {
    Map<Question, String> given = new EnumMap<>(Question.class);
    for (Question question : Question.values()) {
      String value = parsed.matchedOptionValue(question.option(), null);
      if (value != null) {
        given.put(question, question.isPath() ? absolute(value) : value);
      }
    }
    return given;
  }

  private static String absolute(String path) {
    try {
      return path.isEmpty() ? path : Path.of(path).toAbsolutePath().normalize().toString();
    } catch (InvalidPathException e) {
      // The question's rule says what is wrong with it.
      return path;
    }
  }

  /** A step is the ceremony's own program, in this process. */
  static Optional<String> ceremony(PrintWriter out, List<String> words) {
    StringWriter errors = new StringWriter();
    int code =
        CeremonyCommand.commandLine()
            .setOut(out)
            .setErr(new PrintWriter(errors, true))
            .execute(words.toArray(String[]::new));
    if (code == 0) {
      return Optional.empty();
    }
    String line = errors.toString().lines().findFirst().orElse("exit code " + code);
    return Optional.of(line.startsWith("ceremony: ") ? line.substring(10) : line);
  }
}
