package org.sluiceca.api.console;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.store.AuditStore;
import org.sluiceca.api.auth.AccessRecord;
import org.sluiceca.api.auth.Authenticator;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.auth.store.RotationStore;
import org.sluiceca.api.auth.use.FirstUse;
import org.sluiceca.api.console.session.Sessions;
import org.sluiceca.api.console.session.store.SessionStore;
import org.sluiceca.api.http.HttpSettings;
import org.sluiceca.api.http.access.RouteNames;
import org.sluiceca.api.http.edge.BodyLimit;
import org.sluiceca.api.http.edge.Refusal;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.revocation.store.CompromisedKeyStore;
import org.sluiceca.api.revocation.store.PostgresRevocationStore;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The console of a node, with everything real but the network: filters, controllers, database. */
final class ConsoleNode implements AutoCloseable {

  static final PostgresForTests SERVER = PostgresForTests.get();

  final LedgerDatabase.Address address = SERVER.freshDatabase();
  final CredentialStore credentials;
  final MockMvc mvc;

  private final LedgerDatabase database = new LedgerDatabase(address);
  private final AuditTrail trail =
      new AuditTrail("test.1", new AuditStore(database)::append, InstantSource.system());
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();

  ConsoleNode() {
    this(true);
  }

  ConsoleNode(boolean isOn) {
    PostgresForTests.awaitLogin(database);
    trail.start();
    context.register(RouteNames.class);
    context.registerBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class);
    context.refresh();
    credentials = new CredentialStore(database);
    InstantSource clock = InstantSource.system();
    Authenticator authenticator =
        new Authenticator(
            credentials,
            new PostgresRevocationStore(database),
            new CompromisedKeyStore(database),
            new FirstUse(credentials, new RotationStore(database), trail, clock),
            (credential, at) -> {},
            clock);
    Sessions sessions =
        new Sessions(
            new SessionStore(
                database,
                new SessionStore.Limits(Duration.ofMinutes(15), Duration.ofHours(8), 3, 100)),
            credentials::find,
            authenticator::answerTo,
            trail,
            clock);
    Assets assets = new Assets();
    Pages pages = new Pages(assets, "node-0");
    Refusal refusal = (request, response, status) -> response.setStatus(status);
    AccessRecord record = new AccessRecord(trail, context.getBean(RouteNames.class));
    mvc =
        MockMvcBuilders.standaloneSetup(
                new SignInController(
                    authenticator, sessions, record, pages, new SimpleMeterRegistry()),
                new HomeController(assets, sessions, pages))
            .setControllerAdvice(new ConsoleErrors(pages))
            .addFilters(
                new ConsoleHeaders(),
                new BodyLimit(refusal, HttpSettings.defaults()),
                isOn ? new SessionFilter(sessions, record, pages) : SessionFilter.off(refusal))
            .build();
  }

  /** Registers a token of a requester that may enroll under a profile. */
  RegisteredCredential registered(String requester, String token, Role... roles) {
    return credentials
        .insert(
            new NewCredential(
                new RequesterId(requester),
                Kind.TOKEN,
                Tokens.hash(token),
                new Grant(
                    Set.of(roles),
                    Set.of(new ProfileName("tls-server")),
                    Instant.now().plus(Duration.ofDays(9)).truncatedTo(ChronoUnit.SECONDS))))
        .orElseThrow();
  }

  /** Writes what the trail still has. */
  void endTrail() {
    trail.close();
  }

  long count(String sql) {
    return SERVER.number(address, sql);
  }

  @Override
  public void close() {
    trail.close();
    database.close();
    context.close();
  }
}
