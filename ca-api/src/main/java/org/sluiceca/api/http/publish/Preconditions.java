package org.sluiceca.api.http.publish;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Judges the preconditions of a GET or HEAD request in the order of RFC 9110 13.2.2. Range and
 * If-Range are never looked at: the answer is whole, which RFC 9110 14.2 allows for each request.
 * Pure.
 */
public final class Preconditions {

  /** RFC 9110 8.8.3: an opaque tag between quotes, weak if W/ comes first. */
  private static final Pattern ENTITY_TAG =
      Pattern.compile("\\G[\\s,]*(W/)?(\"[\\x21\\x23-\\x7E\\x80-\\xFF]*\")\\s*(?=,|$)");

  private static final String ANY = "*";

  private Preconditions() {}

  /** The result of the preconditions. */
  public enum Verdict {
    /** Send the representation. */
    PROCEED,
    /** 304: the client has it. */
    NOT_MODIFIED,
    /** 412: the client wants another one. */
    FAILED
  }

  /**
   * Judges {@code request}, whose method is GET or HEAD and would be answered with 200.
   *
   * @param entityTag the present strong validator, with its quotes
   * @param lastModified of the representation, read in whole seconds; empty if there is none
   */
  public static Verdict judge(
      HttpServletRequest request, String entityTag, Optional<Instant> lastModified) {
    Optional<Instant> modified = lastModified.map(m -> m.truncatedTo(ChronoUnit.SECONDS));
    List<String> match = values(request, "If-Match");
    if (!match.isEmpty()) {
      if (!matches(match, entityTag, true)) {
        return Verdict.FAILED;
      }
    } else if (isModifiedSince(request, "If-Unmodified-Since", modified).orElse(false)) {
      return Verdict.FAILED;
    }
    List<String> noneMatch = values(request, "If-None-Match");
    boolean isKnown =
        noneMatch.isEmpty()
            ? !isModifiedSince(request, "If-Modified-Since", modified).orElse(true)
            : matches(noneMatch, entityTag, false);
    return isKnown ? Verdict.NOT_MODIFIED : Verdict.PROCEED;
  }

  private static List<String> values(HttpServletRequest request, String name) {
    return Collections.list(request.getHeaders(name));
  }

  /** RFC 9110 8.8.3.2: a strong comparison fails for every weak tag. */
  private static boolean matches(List<String> fields, String entityTag, boolean isStrong) {
    for (String field : fields) {
      if (field.strip().equals(ANY)) {
        return true;
      }
      Matcher tag = ENTITY_TAG.matcher(field);
      while (tag.find()) {
        if (entityTag.equals(tag.group(2)) && !(isStrong && tag.group(1) != null)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Empty without such a field, or if it or the representation has no date: it is ignored then. */
  private static Optional<Boolean> isModifiedSince(
      HttpServletRequest request, String field, Optional<Instant> modified) {
    OptionalLong date = date(request, field);
    return date.isEmpty()
        ? Optional.empty()
        : modified.map(m -> m.isAfter(Instant.ofEpochMilli(date.getAsLong())));
  }

  /** RFC 9110 13.1.3: a date that cannot be read, or several, are ignored. */
  private static OptionalLong date(HttpServletRequest request, String field) {
    if (values(request, field).size() != 1) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(request.getDateHeader(field));
    } catch (IllegalArgumentException e) {
      return OptionalLong.empty();
    }
  }
}
