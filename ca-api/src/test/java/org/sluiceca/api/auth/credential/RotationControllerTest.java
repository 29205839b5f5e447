package org.sluiceca.api.auth.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.Approvals;
import org.sluiceca.api.approval.store.ApprovalStore;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.store.AuditStore;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.credential.RotationController.RotationWish;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.auth.store.RotationStore;
import org.sluiceca.api.auth.use.FirstUse;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/** Who may rotate what, and what is recorded of it. */
class RotationControllerTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();

  private final LedgerDatabase.Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final CredentialStore credentials = new CredentialStore(database);
  private final RotationStore rotations = new RotationStore(database);
  private final AuditTrail trail =
      new AuditTrail("test.1", new AuditStore(database)::append, InstantSource.system());

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
    trail.start();
  }

  @AfterEach
  void close() {
    trail.close();
    database.close();
  }

  private RotationController node(ApprovalAction... heldBack) {
    return new RotationController(
        credentials,
        rotations,
        InstantSource.system(),
        trail,
        new Approvals(
            Set.of(heldBack),
            new ApprovalStore(database),
            trail,
            List.of(new CredentialAct(credentials, trail)),
            (requester, role) -> true));
  }

  private RegisteredCredential registered(String requester, String token, Role... roles) {
    return credentials
        .insert(
            new NewCredential(
                new RequesterId(requester),
                Kind.TOKEN,
                Tokens.hash(token),
                new Grant(
                    Set.of(roles),
                    Set.of(),
                    Instant.now().plus(Duration.ofDays(9)).truncatedTo(ChronoUnit.SECONDS))))
        .orElseThrow();
  }

  private static CredentialBody rotate(RotationController node, String requester, String token) {
    ResponseEntity<CredentialBody> answer = send(node, requester, "Bearer " + token);
    assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.CREATED);
    return Objects.requireNonNull(answer.getBody());
  }

  private static ResponseEntity<CredentialBody> send(
      RotationController node, String requester, @Nullable String authorization) {
    return node.rotate(
        new Requester(new RequesterId(requester), Authentication.BEARER_TOKEN, Set.of(), Set.of()),
        authorization,
        new RotationWish());
  }

  private static ProblemType refused(
      RotationController node, String requester, @Nullable String authorization) {
    return catchThrowableOfType(ProblemException.class, () -> send(node, requester, authorization))
        .type();
  }

  private long rows(String from) {
    return SERVER.number(address, "SELECT count(*) FROM " + from);
  }

  @Test
  void rotate_token_anotherOfTheSameGrantAndEnd() {
    String token = Tokens.next();
    RegisteredCredential old = registered("web", token, Role.REQUESTER);

    CredentialBody made = rotate(node(), "web", token);

    assertThat(made.requester()).isEqualTo("web");
    assertThat(made.roles()).containsExactly("REQUESTER");
    assertThat(made.expiresAt()).isEqualTo(old.grant().expiresAt().toString());
    assertThat(made.rotatedFrom()).isEqualTo(old.id().toString());
    assertThat(made.token()).hasSize(43).isNotEqualTo(token);
    assertThat(
            rows(
                "audit_event WHERE kind = 'credential.rotate' AND actor = 'web' AND content LIKE '%"
                    + old.id()
                    + "%' AND content NOT LIKE '%"
                    + made.token()
                    + "%'"))
        .isOne();
  }

  /** The new token is looked up as a node does, on whatever node. */
  @Test
  void firstUse_endsTheOldTokenOnce() {
    String token = Tokens.next();
    RegisteredCredential old = registered("web", token, Role.REQUESTER);
    String fresh = Objects.requireNonNull(rotate(node(), "web", token).token());
    FirstUse first = new FirstUse(credentials, rotations, trail, InstantSource.system());

    first.of(credentials.find(Kind.TOKEN, Tokens.hash(token)).orElseThrow());
    assertThat(rows("credential WHERE revoked_at IS NOT NULL")).isZero();
    RegisteredCredential presented =
        first.of(credentials.find(Kind.TOKEN, Tokens.hash(fresh)).orElseThrow()).orElseThrow();
    first.of(presented);

    assertThat(presented.isValidAt(Instant.now())).isTrue();
    assertThat(refused(node(), "web", "Bearer " + token)).isEqualTo(ProblemType.UNAUTHENTICATED);
    assertThat(
            rows(
                "audit_event WHERE kind = 'credential.revoke' AND actor = 'web' AND content LIKE '%"
                    + old.id()
                    + "%replacedBy%'"))
        .isOne();
  }

  /** The cache of a node may still let it in. */
  @Test
  void rotate_revokedExpiredOrAnothersToken_401AndNothingIsRecorded() {
    String token = Tokens.next();
    RegisteredCredential old = registered("web", token, Role.REQUESTER);
    assertThat(refused(node(), "other", "Bearer " + token)).isEqualTo(ProblemType.UNAUTHENTICATED);
    credentials.revoke(old.id());
    assertThat(refused(node(), "web", "Bearer " + token)).isEqualTo(ProblemType.UNAUTHENTICATED);
    String expired = Tokens.next();
    registered("web", expired, Role.REQUESTER);
    SERVER.execute(address, "UPDATE credential SET expires_at = now() WHERE revoked_at IS NULL");
    assertThat(refused(node(), "web", "Bearer " + expired)).isEqualTo(ProblemType.UNAUTHENTICATED);

    assertThat(rows("audit_event")).isZero();
    assertThat(rows("credential")).isEqualTo(2);
  }

  @Test
  void rotate_withoutAToken_403() {
    assertThat(refused(node(), "web", null)).isEqualTo(ProblemType.FORBIDDEN);
    assertThat(refused(node(), "web", "Basic eDp5")).isEqualTo(ProblemType.FORBIDDEN);
  }

  @Test
  void rotate_flood_429WithoutRows() {
    String token = Tokens.next();
    registered("web", token, Role.REQUESTER);
    for (int i = 0; i < RotationStore.AN_HOUR_MAX; i++) {
      rotate(node(), "web", token);
    }
    long audited = rows("audit_event");

    for (int i = 0; i < 20; i++) {
      ProblemException refusal =
          catchThrowableOfType(
              ProblemException.class, () -> send(node(), "web", "Bearer " + token));
      assertThat(refusal.type()).isEqualTo(ProblemType.QUOTA_EXCEEDED);
      assertThat(refusal.retryAfter().orElseThrow()).isPositive();
    }

    assertThat(rows("audit_event")).isEqualTo(audited);
    assertThat(rows("credential")).isEqualTo(1L + RotationStore.AN_HOUR_MAX);
    assertThat(rows("credential WHERE revoked_at IS NULL")).isEqualTo(2);
  }

  /** No way around the second person: their new credentials are certificates that were compared. */
  @Test
  void rotate_privilegedWhereCredentialsAreHeldBack_403() {
    String admin = Tokens.next();
    String officer = Tokens.next();
    String former = Tokens.next();
    String web = Tokens.next();
    registered("alice", admin, Role.ADMIN, Role.AUDITOR);
    registered("bob", officer, Role.OFFICER);
    credentials.revoke(registered("carol", Tokens.next(), Role.ADMIN).id());
    registered("carol", former, Role.REQUESTER);
    registered("web", web, Role.REQUESTER, Role.AUDITOR);
    RotationController node = node(ApprovalAction.CREDENTIAL_ADMIN);

    assertThat(refused(node, "alice", "Bearer " + admin)).isEqualTo(ProblemType.FORBIDDEN);
    assertThat(refused(node, "bob", "Bearer " + officer)).isEqualTo(ProblemType.FORBIDDEN);
    assertThat(refused(node, "carol", "Bearer " + former)).isEqualTo(ProblemType.FORBIDDEN);
    assertThat(rotate(node, "web", web).token()).isNotEqualTo(web);
    // Where one administrator may register another alone, each may rotate.
    assertThat(rotate(node(), "alice", admin).token()).isNotEqualTo(admin);
  }
}
