package org.sluiceca.api.audit;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.sluiceca.core.audit.AuditEvent;
import tools.jackson.databind.json.JsonMapper;

/**
 * Something that happened, without its time: equal facts become one row with their number.
 *
 * @param actor who did it; {@link AuditEvent#UNKNOWN_ACTOR} where the requester is not known
 * @param details texts, numbers, truth values, and lists and maps of these. Longer texts than
 *     {@link Bounds} allows are cut, so that every fact fits into a row whatever a client sent
 */
public record Fact(AuditKind kind, String actor, Map<String, Object> details) {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String COUNT = "count";

  public Fact {
    actor = Bounds.actor(actor);
    details = Bounds.details(kind, details);
  }

  /** Returns the row for {@code count} equal facts; the names of its details are sorted. */
  AuditEvent event(Instant at, long count) {
    Map<String, Object> content = new TreeMap<>(details);
    if (count > 1) {
      content.put(COUNT, count);
    }
    return new AuditEvent(at, kind.text(), actor, JSON.writeValueAsString(content));
  }

  /** Returns the row for one fact. */
  public AuditEvent event(Instant at) {
    return event(at, 1);
  }

  /** Returns an upper bound of the content's length in octets. */
  int octetsMax() {
    return Bounds.octetsMax(details);
  }

  /**
   * The maximum lengths of what a fact holds. A value over its maximum is cut and ends in the
   * number of characters that it had: a fact is never refused for its size, for then the trail
   * would lack it. Pure.
   */
  static final class Bounds {

    /** Characters of a text in a fact about a denied request: a client chose it, and chose many. */
    static final int DENIAL_CHARACTERS_MAX = 200;

    /** Characters of any other text: an issuer's chain of 10,500 octets is 14,000 in Base64. */
    static final int CHARACTERS_MAX = 20_000;

    /** Octets of one fact about a denied request: method, path, reason and address need 300. */
    static final int DENIAL_OCTETS_MAX = 2_048;

    /** Octets of any other fact: what a row can hold, less the room for a count. */
    static final int OCTETS_MAX = AuditEvent.CONTENT_OCTETS_MAX - 64;

    /** Elements of a list; a batch of a bulk revocation has 500. */
    static final int ELEMENTS_MAX = 1_000;

    private static final Pattern ACTOR = Pattern.compile("[!-~]{1,80}");
    private static final int DEPTH_MAX = 8;

    /** A control character or quote becomes at most 6 octets of JSON, any other at most 3. */
    private static final int OCTETS_OF_CHARACTER_MAX = 3;

    private static final int OCTETS_OF_ESCAPE = 6;
    private static final int OCTETS_OF_NUMBER_MAX = 24;

    private Bounds() {}

    /**
     * Returns the actor, or {@link AuditEvent#UNKNOWN_ACTOR} for a text that cannot be an actor.
     */
    static String actor(String actor) {
      return ACTOR.matcher(actor).matches() ? actor : AuditEvent.UNKNOWN_ACTOR;
    }

    /** Returns the details with every value within its maximum, and all of them together, too. */
    static Map<String, Object> details(AuditKind kind, Map<String, Object> details) {
      int octets = kind.isDenial() ? DENIAL_OCTETS_MAX : OCTETS_MAX;
      int characters = kind.isDenial() ? DENIAL_CHARACTERS_MAX : CHARACTERS_MAX;
      // Halved until all fits: of many long texts each loses, and none is left out.
      for (int most = characters; most > 0; most /= 2) {
        Map<String, Object> bounded = map(details, most, 0);
        if (octetsMax(bounded) <= octets) {
          return Map.copyOf(bounded);
        }
      }
      return Map.of("tooLong", octetsMax(details));
    }

    private static Map<String, Object> map(Map<?, ?> map, int characters, int depth) {
      Map<String, Object> bounded = new TreeMap<>();
      map.forEach(
          (name, value) ->
              bounded.put(
                  text(String.valueOf(name), DENIAL_CHARACTERS_MAX),
                  value(value, characters, depth + 1)));
      return bounded;
    }

    private static Object value(Object value, int characters, int depth) {
      if (depth > DEPTH_MAX) {
        return "…";
      }
      return switch (value) {
        case Number number -> number;
        case Boolean truth -> truth;
        case Map<?, ?> map -> map(map, characters, depth);
        case List<?> list -> list(list, characters, depth);
        default -> text(value.toString(), characters);
      };
    }

    private static List<Object> list(List<?> list, int characters, int depth) {
      List<Object> bounded = new ArrayList<>();
      // With short texts, and too much all the same: it is the number of elements.
      int most = characters < DENIAL_CHARACTERS_MAX / 4 ? characters : ELEMENTS_MAX;
      for (Object element : list.subList(0, Math.min(list.size(), most))) {
        bounded.add(value(element, characters, depth + 1));
      }
      if (list.size() > most) {
        bounded.add(String.format(Locale.ROOT, "… (%d elements)", list.size()));
      }
      return bounded;
    }

    /** Returns the text, cut; a half of a surrogate pair, which no database holds, is replaced. */
    static String text(String text, int charactersMax) {
      String head =
          text.length() <= charactersMax
              ? text
              : text.substring(0, charactersMax)
                  + String.format(Locale.ROOT, "… (%d characters)", text.length());
      return new String(head.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** Returns an upper bound of the JSON of a value in octets. */
    static int octetsMax(Object value) {
      return switch (value) {
        case Map<?, ?> map ->
            2
                + map.entrySet().stream()
                    .mapToInt(e -> octetsMax(e.getKey()) + octetsMax(e.getValue()) + 2)
                    .sum();
        case List<?> list -> 2 + list.stream().mapToInt(e -> octetsMax(e) + 1).sum();
        case Number _, Boolean _ -> OCTETS_OF_NUMBER_MAX;
        default -> 2 + textOctets(value.toString());
      };
    }

    private static int textOctets(String text) {
      int octets = 0;
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c < ' ' || c == 0x7f) {
          octets += OCTETS_OF_ESCAPE;
        } else if (c < 0x7f) {
          octets += c == '"' || c == '\\' ? 2 : 1;
        } else {
          octets += OCTETS_OF_CHARACTER_MAX;
        }
      }
      return octets;
    }
  }
}
