package org.sluiceca.api.certificate.find;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sluiceca.api.certificate.store.NameRange;
import org.sluiceca.api.certificate.store.Position;
import org.sluiceca.api.certificate.store.SearchFilter;
import org.sluiceca.api.certificate.store.SearchFilter.Span;
import org.sluiceca.api.certificate.store.SearchFilter.Status;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.IssuerName;

/** What a request looks for, after it was judged. */
record FindQuery(SearchFilter filter, Optional<Position> after, int limit) {

  static final int LIMIT_MAX = 200;

  private static final int LIMIT_DEFAULT = 50;

  private static final String LIMIT = "limit";
  private static final String CURSOR = "cursor";
  private static final String REQUESTER = "requester";

  /** At the end of a name: whatever goes on from here. */
  private static final String MORE = "*";

  /** At the beginning of a name: every name below what follows, and the wildcard itself. */
  private static final String BELOW = "*.";

  private static final Set<String> PARAMETERS =
      Set.of(
          "subject",
          "san",
          REQUESTER,
          "profile",
          "issuer",
          "status",
          "issuedAfter",
          "issuedBefore",
          "expiresAfter",
          "expiresBefore",
          LIMIT,
          CURSOR);

  /**
   * Reads the parameters of a query.
   *
   * @throws ProblemException 400 if one is unknown, given twice or not what it should be; 403 if
   *     the requester may not see what it asks for
   */
  static FindQuery of(Requester requester, Map<String, List<String>> parameters) {
    Values values = Values.of(parameters, PARAMETERS);
    SearchFilter filter =
        new SearchFilter(
            visible(requester, values.find(REQUESTER, FindQuery::requester)),
            values.find("subject", FindQuery::range),
            values.find("san", FindQuery::sanRange),
            values.find("profile", FindQuery::profile),
            values.find("issuer", FindQuery::issuer),
            values.find("status", FindQuery::status),
            new Span(values.time("issuedAfter"), values.time("issuedBefore")),
            new Span(values.time("expiresAfter"), values.time("expiresBefore")));
    return new FindQuery(
        filter,
        values.find(
            CURSOR,
            text ->
                Cursor.parse(text, filter)
                    .orElseThrow(() -> bad("cursor is not one that this search gave"))),
        values.number(LIMIT, LIMIT_DEFAULT, LIMIT_MAX));
  }

  /** Whose certificates are shown: everybody's only to those who may read each of them. */
  private static Optional<RequesterId> visible(Requester requester, Optional<RequesterId> wanted) {
    if (mayReadAll(requester)) {
      return wanted;
    }
    if (wanted.isPresent() && !wanted.get().equals(requester.id())) {
      throw new ProblemException(
          ProblemType.FORBIDDEN, "only officers, auditors and admins see others' certificates");
    }
    return Optional.of(requester.id());
  }

  static boolean mayReadAll(Requester requester) {
    return requester.has(Role.OFFICER) || requester.has(Role.AUDITOR) || requester.has(Role.ADMIN);
  }

  static ProblemException bad(String detail) {
    return new ProblemException(ProblemType.MALFORMED_REQUEST, detail);
  }

  private static RequesterId requester(String text) {
    return checked(text, RequesterId::new, "requester is no name of a requester");
  }

  private static ProfileName profile(String text) {
    return checked(text, ProfileName::new, "profile is no name of a profile");
  }

  private static IssuerName issuer(String text) {
    return checked(text, IssuerName::new, "issuer is no name of an issuer");
  }

  private static <T> T checked(String text, Function<String, T> type, String detail) {
    try {
      return type.apply(text);
    } catch (IllegalArgumentException e) {
      throw bad(detail);
    }
  }

  private static Status status(String text) {
    return Arrays.stream(Status.values())
        .filter(s -> s.name().toLowerCase(Locale.ROOT).equals(text))
        .findFirst()
        .orElseThrow(() -> bad("status must be valid, revoked or expired"));
  }

  /** No certificate has a subjectAltName with * in its middle: it would find nothing. */
  private static NameRange sanRange(String text) {
    int star = text.indexOf(MORE);
    if (star >= 0 && star < text.length() - 1 && !text.startsWith(BELOW)) {
      throw bad("san has * at its beginning before a dot (*.example.com) or at its end (www.*)");
    }
    return range(text);
  }

  private static NameRange range(String text) {
    if (text.isEmpty()
        || text.codePointCount(0, text.length()) > NameRange.LENGTH_MAX
        || text.chars().anyMatch(Character::isISOControl)) {
      throw bad(
          String.format(
              Locale.ROOT,
              "subject and san have 1 to %d characters, none of them a control character",
              NameRange.LENGTH_MAX));
    }
    if (text.startsWith(BELOW) && text.length() > BELOW.length()) {
      // Both ends open would be a search in the middle of names.
      if (text.endsWith(MORE)) {
        throw bad(
            "a name has * at its beginning (*.example.com) or at its end (www.*), not at both");
      }
      return NameRange.endingWith(text.substring(1));
    }
    return text.endsWith(MORE)
        ? NameRange.beginningWith(text.substring(0, text.length() - MORE.length()))
        : NameRange.exactly(text);
  }

  /** The parameters of a query, each known and there once. */
  record Values(Map<String, String> byName) {

    static Values of(Map<String, List<String>> parameters, Set<String> known) {
      parameters.forEach(
          (name, all) -> {
            // Else a misspelt filter would be dropped, and everything be found.
            if (!known.contains(name)) {
              throw bad(
                  "there is no such parameter; there are "
                      + known.stream().sorted().collect(Collectors.joining(", ")));
            }
            if (all.size() != 1) {
              throw bad("parameter " + name + " is given more than once");
            }
          });
      return new Values(
          parameters.entrySet().stream()
              .collect(
                  Collectors.toUnmodifiableMap(Map.Entry::getKey, e -> e.getValue().getFirst())));
    }

    <T> Optional<T> find(String name, Function<String, T> read) {
      return Optional.ofNullable(byName.get(name)).map(read);
    }

    Optional<Instant> time(String name) {
      return find(
          name,
          text -> {
            try {
              return OffsetDateTime.parse(text).toInstant();
            } catch (DateTimeException e) {
              throw bad(name + " must be a time like 2026-01-31T12:00:00Z");
            }
          });
    }

    /** A number from 1. */
    int number(String name, int otherwise, int max) {
      return find(
              name,
              text -> {
                if (!text.matches("[1-9][0-9]{0,8}") || Integer.parseInt(text) > max) {
                  throw bad(name + " must be a number from 1 to " + max);
                }
                return Integer.parseInt(text);
              })
          .orElse(otherwise);
    }
  }
}
