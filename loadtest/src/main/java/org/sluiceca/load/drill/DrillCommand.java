package org.sluiceca.load.drill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluiceca.load.cli.Options;
import org.sluiceca.load.cli.Program;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.drill.server.Servers;

/**
 * What {@code ./sluice drill} starts once the machine has all it needs. {@code --drill} is restore,
 * failover or rolling. Exit codes: 0 every promise kept, 1 not, or it could not be played.
 */
public record DrillCommand(Options options) {

  /** Faults that a drill must notice: one of restore, one of failover, one of rolling. */
  private static final Map<String, String> PLANTS =
      Map.of("restore", "signed-again", "failover", "asynchronous", "rolling", "no-notice");

  private static final String OPTIONS =
      "--drill --seconds --load --stall --brief --plant --haproxy --out --launcher --work --postgres --account --first-port --commit";

  /** Plays one drill and exits with its code. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    Program.start(options -> new DrillCommand(options).run(), OPTIONS, arguments);
  }

  private int run() throws IOException, GeneralSecurityException, InterruptedException {
    Place place =
        new Place(
            options.path("--launcher"),
            options.path("--work"),
            new Servers(
                options.path("--postgres"),
                words(options.text("--account")),
                options.path("--work").resolve("postgres"),
                options.path("--work").resolve("secrets")),
            options.whole("--first-port"));
    String drill = options.text("--drill");
    DrillPage page =
        new DrillPage("Drill: " + drill + ", commit " + options.text("--commit"), System.err);
    long began = System.nanoTime();
    try {
      play(drill, place, page);
    } catch (TrialException e) {
      page.promise("the drill is played to its end", false, String.valueOf(e.getMessage()));
    }
    page.figure("the whole drill", DrillPage.seconds((System.nanoTime() - began) / 1e9));
    Path out = Files.createDirectories(options.path("--out"));
    Files.writeString(out.resolve("DRILL.md"), page.markdown());
    System.out.println(page.verdict());
    return page.broken() == 0 ? 0 : 1;
  }

  private void play(String drill, Place place, DrillPage page)
      throws IOException, GeneralSecurityException, InterruptedException {
    String plant = options.text("--plant");
    Place.Terms terms =
        new Place.Terms(
            options.whole("--seconds"),
            options.whole("--load"),
            options.whole("--stall"),
            Boolean.parseBoolean(options.text("--brief")),
            plant.equals(PLANTS.get(drill)),
            options.path("--haproxy"));
    switch (drill) {
      case "restore" -> new RestoreDrill(place, terms, page).run();
      case "failover" -> new FailoverDrill(place, terms, page).run();
      case "rolling" -> new RollingDrill(place, terms, page).run();
      default -> throw new TrialException("there is no drill " + drill);
    }
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.split(" ")).filter(word -> !word.isBlank()).toList();
  }
}
