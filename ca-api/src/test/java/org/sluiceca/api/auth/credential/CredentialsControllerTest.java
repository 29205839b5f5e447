package org.sluiceca.api.auth.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.ApprovalBody;
import org.sluiceca.api.approval.Approvals;
import org.sluiceca.api.approval.store.ApprovalStore;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.store.AuditStore;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.credential.CredentialsController.Registration;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/** What is registered at once, what waits for a second person, and what no person may approve. */
class CredentialsControllerTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();

  /** Of a key that is not kept. */
  private static final String CERTIFICATE =
      """
      -----BEGIN CERTIFICATE-----
      MIIBczCCARmgAwIBAgIUFCbF5W9d3z2JrFYjLvf2uIOTWIkwCgYIKoZIzj0EAwIw
      DjEMMAoGA1UEAwwDYm9iMCAXDTI2MTEyMjE3NDY0MloYDzIxMjYxMDI5MTc0NjQy
      WjAOMQwwCgYDVQQDDANib2IwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAReEWIi
      v4DbS6gcXz7bO1+ODTm/I7xSov08NjKQTUbFYROvjWbwm0HKvOc+0QbKQfJ9wqnE
      NQxQXaApttSVJ4wKo1MwUTAdBgNVHQ4EFgQUuE2Uo29/Sgz0b+o0ZAHhQiIvgosw
      HwYDVR0jBBgwFoAUuE2Uo29/Sgz0b+o0ZAHhQiIvgoswDwYDVR0TAQH/BAUwAwEB
      /zAKBggqhkjOPQQDAgNIADBFAiEAxZ0INkBwIaw5HHO1nhEPrZWtNRTuFZ9FLfct
      3lDGPK8CIBX1UsSUXC9iATXf3I9xJg5EAHwvpaOb2zpJ8FMsNMAB
      -----END CERTIFICATE-----
      """;

  /** As {@code openssl pkey -pubin -outform DER | sha256sum} prints it. */
  private static final String KEY_SHA256 =
      "1edea48bb40cf87c5ff2594dcfd4fdb63c97560dbc0c94164ab6c09b09eabfce";

  private static final Requester ALICE =
      new Requester(
          new RequesterId("alice"), Authentication.BEARER_TOKEN, Set.of(Role.ADMIN), Set.of());

  private final LedgerDatabase.Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final CredentialStore credentials = new CredentialStore(database);
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

  private CredentialsController node(ApprovalAction... heldBack) {
    return new CredentialsController(
        credentials,
        ProfileFiles.read(ProfileFiles.CLASSPATH),
        InstantSource.system(),
        trail,
        new Approvals(
            Set.of(heldBack),
            new ApprovalStore(database),
            trail,
            List.of(new CredentialAct(credentials, trail)),
            (requester, role) -> true));
  }

  private static Registration wish(Set<String> roles, @Nullable String certificate) {
    return new Registration("bob", roles, null, null, certificate);
  }

  private static ProblemType refused(CredentialsController node, Registration wish) {
    return catchThrowableOfType(ProblemException.class, () -> node.register(ALICE, wish)).type();
  }

  private long rows(String table) {
    return SERVER.number(address, "SELECT count(*) FROM " + table);
  }

  /** Planted: the one who asks is shown a token that another then approves, and is two people. */
  @Test
  void register_tokenOfAnAdminOrOfficerHeldBack_refusedAndNothingWaits() {
    CredentialsController node = node(ApprovalAction.CREDENTIAL_ADMIN);

    assertThat(refused(node, wish(Set.of("ADMIN"), null)))
        .isEqualTo(ProblemType.TOKEN_NOT_APPROVABLE);
    assertThat(refused(node, wish(Set.of("AUDITOR", "OFFICER"), null)))
        .isEqualTo(ProblemType.TOKEN_NOT_APPROVABLE);

    assertThat(rows("approval")).isZero();
    assertThat(rows("credential")).isZero();
    // One that decides nothing may have a token, the first under a new id without a second person.
    assertThat(node.register(ALICE, wish(Set.of("AUDITOR", "REQUESTER"), null)).getStatusCode())
        .isEqualTo(HttpStatus.CREATED);
  }

  @Test
  void register_tokenOfAnAdminWhereNothingIsHeldBack_registered() {
    assertThat(node().register(ALICE, wish(Set.of("ADMIN"), null)).getStatusCode())
        .isEqualTo(HttpStatus.CREATED);
  }

  /** Planted before: alice held a token of bob, the administrator, and acted as him. */
  @Test
  void register_underAnAdministratorsId_refusedWhateverTheRole() {
    node().register(ALICE, wish(Set.of("ADMIN"), CERTIFICATE));
    CredentialsController node = node(ApprovalAction.CREDENTIAL_ADMIN);

    assertThat(refused(node, wish(Set.of("REQUESTER"), null))).isEqualTo(ProblemType.FORBIDDEN);
    assertThat(refused(node, wish(Set.of("AUDITOR"), null))).isEqualTo(ProblemType.FORBIDDEN);
    assertThat(refused(node, wish(Set.of("ADMIN"), null))).isEqualTo(ProblemType.FORBIDDEN);

    assertThat(rows("credential")).isOne();
    assertThat(rows("approval")).isZero();
  }

  /** The other order: the token comes first, and the id becomes an administrator afterwards. */
  @Test
  void register_administratorUnderAnIdWithAToken_refused() {
    CredentialsController node = node(ApprovalAction.CREDENTIAL_ADMIN);
    node.register(ALICE, wish(Set.of("REQUESTER"), null));

    assertThat(refused(node, wish(Set.of("ADMIN"), CERTIFICATE))).isEqualTo(ProblemType.CONFLICT);

    assertThat(rows("approval")).isZero();
  }

  @Test
  void register_anotherTokenOfAKnownId_waitsAndIsShownOnce() {
    CredentialsController node = node(ApprovalAction.CREDENTIAL_ADMIN);
    node.register(ALICE, wish(Set.of("REQUESTER"), null));

    ResponseEntity<Object> answer = node.register(ALICE, wish(Set.of("REQUESTER"), null));

    assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.ACCEPTED);
    ApprovalBody body = (ApprovalBody) java.util.Objects.requireNonNull(answer.getBody());
    assertThat(body.token()).hasSize(43);
    assertThat(body.content())
        .contains(Tokens.hash(java.util.Objects.requireNonNull(body.token())).toString())
        .doesNotContain(body.token());
    assertThat(rows("credential")).isOne();
  }

  /** Planted before: the list ended after 10,000 without a word. */
  @Test
  void list_inPages_eachCredentialOnce() {
    SERVER.execute(
        address,
        "INSERT INTO credential (requester, kind, sha256, roles, profiles, expires_at)"
            + " SELECT 'r' || n / 3, 'token', sha256(convert_to(n::text, 'UTF8')), '{requester}',"
            + " '{}', now() FROM generate_series(1, 25) n");
    Set<String> seen = new HashSet<>();
    String cursor = null;
    int pages = 0;

    do {
      ResponseEntity<List<CredentialBody>> page = node().list("10", cursor);
      java.util.Objects.requireNonNull(page.getBody()).forEach(c -> seen.add(c.id()));
      String link = page.getHeaders().getFirst("Link");
      cursor =
          link == null
              ? null
              : link.replaceFirst(".*cursor=", "").replaceFirst(">; rel=\"next\"$", "");
      pages++;
    } while (cursor != null);

    assertThat(seen).hasSize(25);
    assertThat(pages).isEqualTo(3);
  }

  @Test
  void list_limitOrCursorMadeUp_400() {
    for (String limit : List.of("0", "1001", "-1", "x", "")) {
      assertThat(problem(() -> node().list(limit, null))).isEqualTo(ProblemType.MALFORMED_REQUEST);
    }
    for (String cursor : List.of("", "x", "%%%", "YWJj", "YS8xL3h4eHh4eHh4eHh4eHh4")) {
      assertThat(problem(() -> node().list(null, cursor))).isEqualTo(ProblemType.MALFORMED_REQUEST);
    }
  }

  private static ProblemType problem(ThrowingCallable call) {
    return catchThrowableOfType(ProblemException.class, call).type();
  }

  /** What the approver reads is what the holder's own openssl prints of its key. */
  @Test
  void register_certificateOfAnAdminHeldBack_waitsByTheDigestOfItsKey() {
    ResponseEntity<Object> answer =
        node(ApprovalAction.CREDENTIAL_ADMIN).register(ALICE, wish(Set.of("ADMIN"), CERTIFICATE));

    assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.ACCEPTED);
    assertThat(((ApprovalBody) java.util.Objects.requireNonNull(answer.getBody())).content())
        .contains("\"sha256\":\"" + KEY_SHA256 + "\"")
        .contains("\"kind\":\"CERTIFICATE\"");
    assertThat(rows("credential")).isZero();
  }

  /** Planted: it waits a day for an approver, and can only fail. */
  @Test
  void register_keyThatIsRegisteredHeldBack_409AndNothingWaits() {
    node().register(ALICE, wish(Set.of("REQUESTER"), CERTIFICATE));

    assertThat(refused(node(ApprovalAction.CREDENTIAL_ADMIN), wish(Set.of("ADMIN"), CERTIFICATE)))
        .isEqualTo(ProblemType.CONFLICT);
    assertThat(rows("approval")).isZero();
  }

  /** Planted: the table refuses it, as if the database were away, whenever it is tried again. */
  @Test
  void register_moreProfilesThanTheTableTakes_400() {
    CredentialsController node = node(ApprovalAction.CREDENTIAL_ADMIN);

    assertThat(refused(node, naming(RegisteredCredential.PROFILES_MAX + 1)))
        .isEqualTo(ProblemType.MALFORMED_REQUEST);
    // This number may be named; these do not exist.
    assertThat(refused(node, naming(RegisteredCredential.PROFILES_MAX)))
        .isEqualTo(ProblemType.UNKNOWN_PROFILE);
    SERVER.execute(address, inserting(RegisteredCredential.PROFILES_MAX));
    assertThat(
            catchThrowableOfType(
                IllegalStateException.class,
                () -> SERVER.execute(address, inserting(RegisteredCredential.PROFILES_MAX + 1))))
        .isNotNull();
  }

  private static Registration naming(int profiles) {
    return new Registration(
        "bob",
        Set.of("ADMIN"),
        IntStream.range(0, profiles).mapToObj(i -> "p-" + i).collect(Collectors.toSet()),
        null,
        CERTIFICATE);
  }

  private static String inserting(int profiles) {
    return "INSERT INTO credential (requester, kind, sha256, roles, profiles, expires_at)"
        + " SELECT 'bob', 'token', sha256('x"
        + profiles
        + "'), '{admin}', array_agg('p-' || n), now() FROM generate_series(1, "
        + profiles
        + ") n";
  }
}
