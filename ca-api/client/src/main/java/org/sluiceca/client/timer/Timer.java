package org.sluiceca.client.timer;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.sluiceca.client.key.PrivateFile;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;

/** What has a system run a command again and again: files, and commands that make them count. */
public interface Timer {

  /**
   * What is to be run.
   *
   * @param name in the names of files and of the timer
   * @param certificate absolute; what the files are described by
   * @param words program and arguments
   * @param period between two runs
   * @param limit for one run
   */
  record Job(String name, Path certificate, List<String> words, Duration period, Duration limit) {

    /** Copies the words. */
    public Job {
      words = List.copyOf(words);
      if (!NAME.matcher(name).matches()) {
        throw Failure.usage("--name is of letters, digits, _ and -, not '" + name + "'");
      }
    }

    /** The name that a certificate's timer has if its user chooses none. */
    public static String name(Path certificate) {
      String file = String.valueOf(certificate.getFileName());
      int dot = file.lastIndexOf('.');
      String base = (dot > 0 ? file.substring(0, dot) : file).replaceAll("[^A-Za-z0-9_-]", "-");
      return base.length() > NAME_MAX ? base.substring(0, NAME_MAX) : base;
    }

    /** One line, in each of the files; of one certificate alone. */
    String description() {
      return "Renew " + certificate.toString().replaceAll("\\p{Cntrl}", "?") + " by Sluice";
    }
  }

  /** The longest name, in characters. */
  int NAME_MAX = 64;

  /** What file names of all systems take. */
  Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1," + NAME_MAX + "}");

  /** What is to be run. */
  Job job();

  /** Absolute names and contents, in the order in which they are written. */
  Map<Path, String> files();

  /** Run after the files were written, in their order. */
  List<List<String>> commands();

  /** What the user may have to do besides. */
  default Optional<String> advice() {
    return Optional.empty();
  }

  /** How the files are encoded. */
  default Charset charset() {
    return StandardCharsets.UTF_8;
  }

  /** How a file's text has {@link Job#description}. */
  default String described() {
    return job().description();
  }

  /** The timer of the system that this process runs on, for its user. */
  static Timer ofThisSystem(Job job) {
    return of(
        System.getProperty("os.name", ""),
        System.getProperty("user.name", "").equals("root"),
        Path.of(System.getProperty("user.home", ".")),
        job);
  }

  /** The timer of a system, as Java names it. */
  static Timer of(String system, boolean root, Path home, Job job) {
    String lower = system.toLowerCase(Locale.ROOT);
    if (lower.startsWith("windows")) {
      return new WindowsTask(home, job);
    }
    return lower.startsWith("mac") ? new Launchd(root, home, job) : new Systemd(root, home, job);
  }

  /** Prints what {@link #install} would write and run. */
  default void print(Console console) {
    files()
        .forEach(
            (file, text) -> {
              console.line("# " + file);
              console.raw(text);
            });
    commands().forEach(words -> console.line("# run: " + String.join(" ", words)));
  }

  /** Writes the files and has them count. A file of another certificate is never replaced. */
  default void install(Console console) {
    files().keySet().forEach(this::requireOwn);
    files()
        .forEach(
            (file, text) -> {
              PrivateFile.writePublic(file, text.getBytes(charset()));
              console.say("wrote %s", file);
            });
    for (List<String> words : commands()) {
      run(words);
    }
    console.say("installed: the certificate is renewed when it is due");
    advice().ifPresent(text -> console.note("%s", text));
  }

  private void requireOwn(Path file) {
    try {
      Path folder = file.getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      if (Files.exists(file)
          && !new String(Files.readAllBytes(file), charset()).contains(described())) {
        throw Failure.of(file + " is there for something else: choose another --name");
      }
    } catch (IOException e) {
      throw Failure.of("cannot write " + file + ": " + e.getMessage());
    }
  }

  private static void run(List<String> words) {
    String line = String.join(" ", words);
    try {
      Process process = new ProcessBuilder(words).inheritIO().start();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw Failure.of("the files are written, but this took too long: " + line);
      }
      if (process.exitValue() != 0) {
        throw Failure.of("the files are written, but this failed: " + line);
      }
    } catch (IOException e) {
      throw Failure.of(
          "the files are written; run by hand, where this system has it: "
              + line
              + " ("
              + e.getMessage()
              + ")");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.of("interrupted");
    }
  }
}
