package org.sluiceca.load.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.cli.Options;
import org.sluiceca.load.plan.Client;
import org.sluiceca.load.plan.Client.WhenRefused;
import org.sluiceca.load.plan.Plan;

/**
 * What the user chose instead of what a plan says, and when its run began.
 *
 * @param chosen {@link #NAMES}
 */
record Choices(Options chosen, Instant began) {

  /** Those from {@code --clients} on are for plans whose requests Gatling sends. */
  static final String NAMES =
      "--nodes --rate --seconds --crowd --clients --connections --credentials --when-refused";

  private static final String FILE = "choices";
  private static final String BEGAN = "--began";

  /** Those of the first sitting, if {@code work} has one: they hold when a run is resumed. */
  static Choices kept(Options given, Path work) throws IOException {
    Path kept = work.resolve(FILE);
    if (!Files.exists(kept)) {
      List<String> words = new ArrayList<>(List.of(BEGAN, Instant.now().toString()));
      for (String name : NAMES.split(" ", -1)) {
        given.find(name).ifPresent(value -> words.addAll(List.of(name, value)));
      }
      Path fresh = Files.write(Files.createDirectories(work).resolve("fresh"), words);
      Path ignored = Files.move(fresh, kept, StandardCopyOption.ATOMIC_MOVE);
    }
    Options first =
        Options.parse(BEGAN + " " + NAMES, Files.readAllLines(kept).toArray(String[]::new));
    return new Choices(first, Instant.parse(first.text(BEGAN)));
  }

  /** Returns the plan with what was chosen. */
  Plan of(Plan plan) {
    Client client = plan.client();
    return plan.with(
            client.with(
                is("--connections", "keep", "new", client.keepsConnections()),
                is("--credentials", "certificate", "token", client.isMutual()),
                chosen.find("--when-refused").map(WhenRefused::of).orElse(client.whenRefused())))
        .with(
            new Plan.Changes(
                chosen.findWhole("--nodes"),
                chosen.findNumber("--rate"),
                chosen.findNumber("--seconds"),
                chosen.findNumber("--crowd"),
                chosen.findWhole("--clients")));
  }

  private boolean is(String name, String yes, String no, boolean otherwise) {
    String word = chosen.text(name, otherwise ? yes : no);
    if (!word.equals(yes) && !word.equals(no)) {
      throw new InputException(name + " is " + yes + " or " + no + ", not '" + word + "'");
    }
    return word.equals(yes);
  }
}
