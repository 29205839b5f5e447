package org.sluiceca.load.drill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluiceca.load.drill.server.Servers;
import org.sluiceca.load.watch.WatchException;

/**
 * What {@code ./sluice drill} starts once the machine has all it needs. Options, each with a value:
 * {@code --drill restore|failover|rolling --seconds --stall --brief --plant --haproxy --out
 * --launcher --work --postgres --account --first-port --commit}. Exit codes: 0 every promise kept,
 * 1 not, or it could not be played.
 */
public final class DrillCommand {

  /** Faults that a drill must notice: one of restore, one of failover, one of rolling. */
  private static final String SIGNED_AGAIN = "signed-again";

  private static final String ASYNCHRONOUS = "asynchronous";

  private static final String NO_NOTICE = "no-notice";

  private final Map<String, String> options;

  private DrillCommand(Map<String, String> options) {
    this.options = Map.copyOf(options);
  }

  /** Plays one drill and exits with its code. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      options.put(arguments[i], arguments[i + 1]);
    }
    System.exit(exitCode(new DrillCommand(options)));
  }

  private static int exitCode(DrillCommand command) {
    try {
      return command.run();
    } catch (WatchException | IOException | GeneralSecurityException e) {
      System.err.println("sluice: " + e.getMessage());
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        System.err.println("sluice:   because " + cause);
      }
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private int run() throws IOException, GeneralSecurityException, InterruptedException {
    Place place =
        new Place(
            path("--launcher"),
            path("--work"),
            new Servers(
                path("--postgres"),
                words(option("--account")),
                path("--work").resolve("postgres"),
                path("--work").resolve("secrets")),
            Integer.parseInt(option("--first-port")));
    String drill = option("--drill");
    DrillPage page =
        new DrillPage("Drill: " + drill + ", commit " + option("--commit"), System.err);
    long began = System.nanoTime();
    try {
      play(drill, place, page);
    } catch (WatchException e) {
      page.promise("the drill is played to its end", false, String.valueOf(e.getMessage()));
    }
    page.figure("the whole drill", DrillPage.seconds((System.nanoTime() - began) / 1e9));
    Path out = Files.createDirectories(path("--out"));
    Files.writeString(out.resolve("DRILL.md"), page.markdown());
    System.out.println(page.verdict());
    return page.broken() == 0 ? 0 : 1;
  }

  private void play(String drill, Place place, DrillPage page)
      throws IOException, GeneralSecurityException, InterruptedException {
    String plant = option("--plant");
    boolean isBrief = Boolean.parseBoolean(option("--brief"));
    int seconds = Integer.parseInt(option("--seconds"));
    switch (drill) {
      case "restore" ->
          new RestoreDrill(
                  place, new RestoreDrill.Terms(seconds, isBrief, plant.equals(SIGNED_AGAIN)), page)
              .run();
      case "failover" ->
          new FailoverDrill(
                  place,
                  new FailoverDrill.Terms(
                      seconds,
                      Integer.parseInt(option("--stall")),
                      isBrief,
                      plant.equals(ASYNCHRONOUS)),
                  page)
              .run();
      case "rolling" ->
          new RollingDrill(
                  place,
                  new RollingDrill.Terms(seconds, path("--haproxy"), plant.equals(NO_NOTICE)),
                  page)
              .run();
      default -> throw new WatchException("there is no drill " + drill);
    }
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.split(" ")).filter(word -> !word.isBlank()).toList();
  }

  private Path path(String name) {
    return Path.of(option(name));
  }

  private String option(String name) {
    String value = options.get(name);
    if (value == null) {
      throw new WatchException("no " + name);
    }
    return value;
  }
}
