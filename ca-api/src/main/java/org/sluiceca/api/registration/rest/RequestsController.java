package org.sluiceca.api.registration.rest;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.registration.store.PostgresRequestStore;
import org.sluiceca.api.registration.store.RequestList;
import org.sluiceca.api.registration.store.RequestList.Kind;
import org.sluiceca.api.registration.store.RequestList.Listed;
import org.sluiceca.api.registration.store.RequestList.Place;
import org.sluiceca.core.registration.RegistrationId;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/requests}: administrators and auditors see which requests, such as orders of ACME,
 * wait and for what, and why one was refused. Roles are asked for by the routes.
 */
@RestController
final class RequestsController {

  private static final String PATH = "/v1/requests";
  private static final int PAGE = 100;
  private static final Pattern CURSOR = Pattern.compile("([0-9]{1,18})/([A-Za-z0-9_-]{22})");

  private final RequestList list;
  private final PostgresRequestStore store;
  private final InstantSource clock;

  RequestsController(RequestList list, PostgresRequestStore store, InstantSource clock) {
    this.list = list;
    this.store = store;
    this.clock = clock;
  }

  /** A page; {@code Link: <…>; rel="next"} (RFC 8288) points to the next one, if there is one. */
  @GetMapping(PATH)
  ResponseEntity<List<RequestBody>> page(
      @RequestParam(name = "state", defaultValue = "open") String state,
      @RequestParam(name = "cursor", required = false) @Nullable String cursor) {
    Kind kind = kind(state);
    List<Listed> page = list.page(kind, cursor == null ? kind.first() : place(cursor), PAGE);
    Instant now = clock.instant();
    ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
    if (page.size() == PAGE) {
      answer.header(HttpHeaders.LINK, next(state, page.getLast().place()));
    }
    return answer.body(page.stream().map(l -> RequestBody.of(l.request(), now)).toList());
  }

  @GetMapping(PATH + "/{id}")
  RequestBody show(@PathVariable String id) {
    return RegistrationId.parse(id)
        .flatMap(store::find)
        .map(request -> RequestBody.of(request, clock.instant()))
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemType.NOT_FOUND,
                    "no request of this id: it was removed after its end, or never made"));
  }

  private static Kind kind(String state) {
    return Arrays.stream(Kind.values())
        .filter(kind -> text(kind).equals(state))
        .findFirst()
        .orElseThrow(
            () ->
                malformed(
                    "state must be one of "
                        + Arrays.stream(Kind.values()).map(RequestsController::text).toList()));
  }

  private static String text(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static Place place(String cursor) {
    Matcher place = CURSOR.matcher(decoded(cursor));
    if (!place.matches()) {
      throw malformed("the cursor is not one that an answer's Link header had");
    }
    Optional<RegistrationId> id = RegistrationId.parse(place.group(2));
    return new Place(
        Instant.EPOCH.plus(Long.parseLong(place.group(1)), ChronoUnit.MICROS),
        id.orElseThrow(() -> malformed("the cursor is not one that an answer's Link header had")));
  }

  private static String decoded(String cursor) {
    try {
      return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private static String next(String state, Place last) {
    String place = ChronoUnit.MICROS.between(Instant.EPOCH, last.time()) + "/" + last.id().text();
    return "<"
        + PATH
        + "?state="
        + state
        + "&cursor="
        + Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(place.getBytes(StandardCharsets.ISO_8859_1))
        + ">; rel=\"next\"";
  }

  private static ProblemException malformed(String detail) {
    return new ProblemException(ProblemType.MALFORMED_REQUEST, detail);
  }
}
