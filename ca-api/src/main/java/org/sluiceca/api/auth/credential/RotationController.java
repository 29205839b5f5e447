package org.sluiceca.api.auth.credential;

import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.Approvals;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.auth.store.RotationStore;
import org.sluiceca.api.auth.store.RotationStore.Rotation;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.x509.OctetString;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code POST /v1/credentials/self/rotation}: the holder of a token gets another one in its place,
 * with the same grant and the same end. Both count until the new one is first used, so an answer
 * that was lost costs nothing: the same request again makes another one, and ends the one that was
 * lost.
 */
@RestController
final class RotationController {

  /** The body of the request, {@code {}}: no form of another site can send JSON. */
  record RotationWish() {}

  private final CredentialStore credentials;
  private final RotationStore rotations;
  private final InstantSource clock;
  private final AuditTrail trail;
  private final Approvals approvals;

  RotationController(
      CredentialStore credentials,
      RotationStore rotations,
      InstantSource clock,
      AuditTrail trail,
      Approvals approvals) {
    this.credentials = credentials;
    this.rotations = rotations;
    this.clock = clock;
    this.trail = trail;
    this.approvals = approvals;
  }

  @PostMapping(path = "/v1/credentials/self/rotation", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<CredentialBody> rotate(
      @AuthenticationPrincipal Requester requester,
      @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false)
          @Nullable String authorization,
      @RequestBody RotationWish wish) {
    OctetString presented =
        Optional.ofNullable(authorization)
            .flatMap(Tokens::bearer)
            .map(Tokens::hash)
            .orElseThrow(RotationController::noToken);
    // Not as it was remembered: from the database, now.
    RegisteredCredential old =
        credentials
            .find(Kind.TOKEN, presented)
            .filter(c -> c.isValidAt(clock.instant()) && c.requester().equals(requester.id()))
            .orElseThrow(RotationController::ended);
    // Before anything is written: a flood costs two look-ups.
    rotations.mustWait(old.id()).ifPresent(RotationController::tooMany);
    if (approvals.isHeldBack(ApprovalAction.CREDENTIAL_ADMIN)
        && !CredentialRule.isRotatable(old.grant(), credentials.history(old.requester()))) {
      throw new ProblemException(
          ProblemType.FORBIDDEN,
          "a credential of an administrator or officer needs a second person here: register the"
              + " certificate of a new key, and have it approved");
    }
    String token = Tokens.next();
    trail.recordDurably(fact(old, Tokens.hash(token)));
    return switch (rotations.rotate(old.requester(), presented, Tokens.hash(token))) {
      case Rotation.Rotated rotated ->
          ResponseEntity.created(URI.create("/v1/credentials/" + rotated.successor()))
              .body(CredentialBody.made(successor(token), token));
      case Rotation.Ended ended -> throw ended();
      case Rotation.TooMany(Duration wait) -> throw tooManyIn(wait);
    };
  }

  private RegisteredCredential successor(String token) {
    return credentials.find(Kind.TOKEN, Tokens.hash(token)).orElseThrow(RotationController::ended);
  }

  /** What a registration says, and which token it replaces. */
  private static Fact fact(RegisteredCredential old, OctetString fresh) {
    Map<String, Object> details =
        new TreeMap<>(
            CredentialAct.content(
                new NewCredential(old.requester(), Kind.TOKEN, fresh, old.grant())));
    details.put("replaces", old.id().toString());
    return new Fact(AuditKind.CREDENTIAL_ROTATE, old.requester().value(), details);
  }

  private static void tooMany(Duration wait) {
    throw tooManyIn(wait);
  }

  private static ProblemException tooManyIn(Duration wait) {
    return new ProblemException(
        ProblemType.QUOTA_EXCEEDED,
        String.format(
            Locale.ROOT,
            "the tokens of this registration were rotated %d times within an hour, which is the"
                + " most. Retry in %d s; the present token goes on",
            RotationStore.AN_HOUR_MAX,
            wait.toSeconds()),
        wait,
        null);
  }

  private static ProblemException noToken() {
    return new ProblemException(
        ProblemType.FORBIDDEN,
        "only a bearer token can be rotated: to replace a client certificate, have an administrator"
            + " register the next one");
  }

  private static ProblemException ended() {
    return new ProblemException(
        ProblemType.UNAUTHENTICATED, "the bearer token is unknown, expired, replaced or revoked");
  }
}
