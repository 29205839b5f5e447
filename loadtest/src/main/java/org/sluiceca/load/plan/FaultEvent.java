package org.sluiceca.load.plan;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.cli.Keys;

/**
 * Something that is done to the trial in the midst of a phase.
 *
 * @param atSeconds after the phase's measured time began
 * @param words verb and arguments: {@code hsm …} (words of nethsm; before them, the HSM's name if
 *     there are several), {@code join}, {@code restart}, {@code kill N}, {@code kill-leader},
 *     {@code revoke}
 * @param expected the share of the plan's capacity that goodput has to come to afterwards; empty if
 *     nothing is expected until the next happening
 */
public record FaultEvent(double atSeconds, List<String> words, OptionalDouble expected) {

  /** One of the issued certificates is revoked, for a compromise of its key. */
  public static final String REVOKE = "revoke";

  private static final String ARROW = "->";

  /** Validates. */
  public FaultEvent {
    words = List.copyOf(words);
    boolean isKnown =
        switch (words.isEmpty() ? "" : words.getFirst()) {
          case "hsm" -> words.size() >= 3;
          case "kill" -> words.size() == 2 && words.get(1).matches("[0-9]{1,2}");
          case "join", "restart", "kill-leader", REVOKE -> words.size() == 1;
          default -> false;
        };
    if (!isKnown) {
      throw new InputException("nothing that can happen: " + String.join(" ", words));
    }
  }

  /** Reads {@code 5 hsm fault slow 2 -> 0.5; 25 hsm fault clear -> 1}, in the order of time. */
  static List<FaultEvent> parseAll(String text) {
    if (text.isBlank()) {
      return List.of();
    }
    List<FaultEvent> all =
        Arrays.stream(text.split(";", -1)).map(String::strip).map(FaultEvent::parse).toList();
    for (int i = 1; i < all.size(); i++) {
      if (all.get(i).atSeconds < all.get(i - 1).atSeconds) {
        throw new InputException("events are not in the order of time: " + text);
      }
    }
    return all;
  }

  private static FaultEvent parse(String text) {
    String[] halves = text.split(ARROW, 2);
    List<String> words = List.of(halves[0].strip().split("\\s+", -1));
    OptionalDouble expected =
        halves.length == 2
            ? OptionalDouble.of(Keys.parse(ARROW, halves[1].strip()))
            : OptionalDouble.empty();
    return new FaultEvent(
        Keys.parse("events", words.getFirst()), words.subList(1, words.size()), expected);
  }

  /** Returns what is done, as the plan says it. */
  public String what() {
    return String.join(" ", words);
  }
}
