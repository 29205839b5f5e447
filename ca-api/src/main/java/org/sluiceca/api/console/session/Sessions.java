package org.sluiceca.api.console.session;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.auth.Authenticator.Answer;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.console.session.store.SessionStore;
import org.sluiceca.api.console.session.store.StoredSession;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.x509.OctetString;

/**
 * Opens, finds and ends sessions. A session is worth what its credential is worth at that moment:
 * with a revoked, replaced or expired credential it has ended. One that a client certificate opened
 * counts only on connections that present a certificate of this credential, so its cookie alone is
 * worth nothing. Sign-ins and sign-outs are in the audit trail before they are done. Thread-safe;
 * every method blocks for a few statements and throws {@link
 * org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} if the database does not answer.
 */
public final class Sessions {

  /** Sessions end by themselves within minutes. */
  private static final Duration FULL_RETRY = Duration.ofMinutes(1);

  private final SessionStore store;
  private final Function<UUID, Optional<RegisteredCredential>> credentials;
  private final Function<X509Certificate, Answer> certificates;
  private final AuditTrail trail;
  private final InstantSource clock;
  private final SessionGate gate;
  private final SignInLimit signIns;

  /**
   * Works on {@code store}.
   *
   * @param credentials the register; must not cache
   * @param certificates what a client certificate is worth, as for the API
   */
  public Sessions(
      SessionStore store,
      Function<UUID, Optional<RegisteredCredential>> credentials,
      Function<X509Certificate, Answer> certificates,
      AuditTrail trail,
      InstantSource clock) {
    this.store = store;
    this.credentials = credentials;
    this.certificates = certificates;
    this.trail = trail;
    this.clock = clock;
    this.gate = new SessionGate();
    this.signIns = new SignInLimit(System::nanoTime);
  }

  /**
   * Opens a session for the holder of {@code credential}, and returns the value of its cookie,
   * which nothing else knows.
   *
   * @throws ProblemException if there are as many sessions as there may be, or the requester signs
   *     in too often
   */
  public String open(RegisteredCredential credential, String address) {
    signIns.count(credential.requester());
    trail.recordDurably(
        new Fact(
            AuditKind.CONSOLE_SIGN_IN,
            credential.requester().value(),
            Map.of("credential", credential.id().toString(), "address", address)));
    String cookie = Tokens.next();
    OctetString id = Tokens.hash(cookie);
    if (!store.add(id, credential.id(), credential.requester())) {
      throw new ProblemException(
          ProblemType.SATURATED,
          "as many sessions of the console are open as there may be",
          FULL_RETRY,
          null);
    }
    gate.made(id);
    return cookie;
  }

  /**
   * Returns the session of a cookie, and notes its use.
   *
   * @param presented the client certificate of the connection
   * @throws ProblemException if too many unknown cookies or credentials are asked for at once
   */
  public Optional<Session> find(String cookie, Optional<X509Certificate> presented) {
    return find(cookie, presented, store::use);
  }

  /**
   * Returns the session of a cookie, for what a page asks by itself: that is no use of it.
   *
   * @param presented the client certificate of the connection
   * @throws ProblemException if too many unknown cookies or credentials are asked for at once
   */
  public Optional<Session> peek(String cookie, Optional<X509Certificate> presented) {
    return find(cookie, presented, store::peek);
  }

  private Optional<Session> find(
      String cookie,
      Optional<X509Certificate> presented,
      Function<OctetString, Optional<StoredSession>> lookup) {
    return gate.find(
            Tokens.hash(cookie),
            id -> lookup.apply(id).flatMap(stored -> session(id, cookie, stored)))
        .flatMap(session -> provenBy(presented, session));
  }

  /** Returns whether a session that was found before goes on. Does not count as a use. */
  public boolean goesOn(Session session) {
    return store
        .peek(session.id())
        .flatMap(stored -> session(session.id(), session.cookie(), stored))
        .flatMap(found -> provenBy(session.certificate(), found))
        .isPresent();
  }

  /** A session of which the credential is known, and not yet whether it is presented. */
  private record Unproven(Session session, RegisteredCredential credential) {}

  private Optional<Unproven> session(OctetString id, String cookie, StoredSession stored) {
    return credentials
        .apply(stored.credential())
        .filter(credential -> credential.isValidAt(clock.instant()))
        .map(
            credential ->
                new Unproven(
                    new Session(
                        id,
                        cookie,
                        new Requester(
                            credential.requester(),
                            authentication(credential),
                            credential.grant().roles(),
                            credential.grant().profiles()),
                        stored.createdAt(),
                        credential.grant().expiresAt()),
                    credential));
  }

  private static Authentication authentication(RegisteredCredential credential) {
    return switch (credential.kind()) {
      case TOKEN -> Authentication.BEARER_TOKEN;
      case CERTIFICATE -> Authentication.CLIENT_CERTIFICATE;
    };
  }

  /** A token was proven at the sign-in; a key is proven by each connection. */
  private Optional<Session> provenBy(Optional<X509Certificate> presented, Unproven unproven) {
    Session session = unproven.session();
    RegisteredCredential credential = unproven.credential();
    return switch (credential.kind()) {
      case TOKEN -> Optional.of(session);
      case CERTIFICATE ->
          presented
              .filter(
                  certificate ->
                      certificates.apply(certificate) instanceof Answer.Known known
                          && known.credential().id().equals(credential.id()))
              .map(certificate -> session.on(certificate));
    };
  }

  /** Ends a session. Again: changes nothing but the trail. */
  public void end(Session session) {
    recordEnd(session, "this");
    store.end(session.id());
  }

  /**
   * Ends the other sessions of the same requester, on all nodes; returns how many there were.
   * Without any it changes nothing, and there is nothing for the trail.
   */
  public int endOthers(Session session) {
    if (count(session) < 2) {
      return 0;
    }
    recordEnd(session, "others");
    return store.endOthers(session.requester().id(), session.id());
  }

  private void recordEnd(Session session, String which) {
    trail.recordDurably(
        new Fact(
            AuditKind.CONSOLE_SIGN_OUT,
            session.requester().id().value(),
            Map.of("sessions", which)));
  }

  /** Returns how many sessions the requester of this one has. */
  public int count(Session session) {
    return store.count(session.requester().id());
  }
}
