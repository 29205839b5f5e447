package org.sluiceca.load.gatling;

import static io.gatling.javaapi.core.CoreDsl.ByteArrayBody;
import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.plan.Offer.Kind;
import org.sluiceca.load.scenario.wire.Population;
import org.sluiceca.load.scenario.wire.Terms;

/** The requests of each kind. Thread-safe. */
final class Calls {

  static final String VISIT = "visit";
  static final String STATUS = "status";
  static final String LOCATION = "location";
  static final String RETRY_AFTER = "retryAfter";
  static final String PROBLEM = "problem";

  /** What the service may answer under load; all else is an error in Gatling's report. */
  private static final Integer[] HONEST = {200, 201, 202, 429, 503};

  /** As the trial calls its first issuer. */
  private static final String CRL = "/crl/issuing.crl";

  private final Terms terms;
  private final Targets targets;

  /** Requests by the file that they are in. */
  private final Map<String, List<String>> csrs = new HashMap<>();

  private final byte[] ocspQuestion;
  private final AtomicInteger number = new AtomicInteger();
  private final Map<String, Issued> issued = new ConcurrentHashMap<>();

  /**
   * One request.
   *
   * @param key empty if it issues nothing
   * @param csr which of the file, or whose certificate it is about
   * @param serial of the certificate that it is about; empty if there is none
   */
  record Ask(Kind kind, String requester, String key, int csr, String serial) {

    Exchange.Request request(String phase, int attempt) {
      return new Exchange.Request(kind, key, phase, requester, attempt);
    }
  }

  Calls(Terms terms, Targets targets) throws IOException {
    this.terms = terms;
    this.targets = targets;
    for (Terms.Account account : terms.accounts().values()) {
      for (String file : List.of(account.csrs(), account.renewalCsrs())) {
        if (!file.isEmpty() && !csrs.containsKey(file)) {
          csrs.put(file, Files.readAllLines(Path.of(file)));
        }
      }
    }
    this.ocspQuestion = Base64.getDecoder().decode(terms.ocspQuestion());
  }

  /** Returns the name of a phase. */
  String phase(int number) {
    return terms.phases().get(number);
  }

  Targets targets() {
    return targets;
  }

  /** Makes a request; empty if it is about a certificate and there is none yet. */
  Optional<Ask> ask(Population population, int phase) {
    Kind kind = population.kind();
    String requester = population.requester();
    int own = number.getAndIncrement();
    String key = kind.isIssuance() ? terms.run() + "-" + phase + "-" + own : "";
    return switch (kind) {
      case ENROLL, CRL -> Optional.of(new Ask(kind, requester, key, own, ""));
      case SEARCH ->
          Optional.of(
              new Ask(kind, requester, key, own % csrs(account(requester).csrs()).size(), ""));
      // A fleet with too few certificates enrolls for the rest.
      case RENEW ->
          Optional.of(
              issued(requester)
                  .take()
                  .map(one -> new Ask(kind, requester, key, one.csr(), one.serial()))
                  .orElseGet(() -> new Ask(Kind.ENROLL, requester, key, own, "")));
      case REVOKE ->
          issued(requester)
              .take()
              .map(one -> new Ask(kind, requester, key, one.csr(), one.serial()));
      case READ, OCSP ->
          issued(requester)
              .any()
              .map(one -> new Ask(kind, requester, key, one.csr(), one.serial()));
    };
  }

  /** Notes a certificate that came. */
  void issued(Ask ask, String serial) {
    issued(ask.requester()).add(new Issued.One(serial, ask.csr()));
  }

  private Issued issued(String requester) {
    return issued.computeIfAbsent(requester, name -> new Issued());
  }

  /** Returns the action of a population. */
  HttpRequestActionBuilder action(Population population) {
    String name = population.name();
    HttpRequestActionBuilder action =
        switch (population.kind()) {
          case ENROLL, RENEW -> issuance(name);
          case SEARCH ->
              authorized(
                  http(name)
                      .get(
                          secure(
                              ask ->
                                  "/v1/certificates?limit=50&san=host-"
                                      + ask.csr()
                                      + ".bench.example")));
          case READ ->
              authorized(http(name).get(secure(ask -> "/v1/certificates/" + ask.serial())));
          case REVOKE ->
              authorized(
                  http(name)
                      .post(secure(ask -> "/v1/certificates/" + ask.serial() + "/revocation"))
                      .header("Content-Type", "application/json")
                      .body(StringBody("{\"reason\":\"superseded\"}")));
          case CRL -> http(name).get(session -> targets.plain(visit(session).node, CRL));
          case OCSP ->
              http(name)
                  .post(session -> targets.plain(visit(session).node, "/ocsp"))
                  .header("Content-Type", "application/ocsp-request")
                  .body(ByteArrayBody(this::question));
        };
    return action.check(
        status().saveAs(STATUS),
        status().in(HONEST),
        header("Location").optional().saveAs(LOCATION),
        header("Retry-After").optional().saveAs(RETRY_AFTER),
        regex("\"type\" ?: ?\"([^\"]{1,100})\"").optional().saveAs(PROBLEM));
  }

  private HttpRequestActionBuilder issuance(String name) {
    return authorized(
        http(name)
            .post(
                secure(
                    ask ->
                        ask.kind() == Kind.RENEW
                            ? "/v1/certificates/" + ask.serial() + "/renewal"
                            : "/v1/certificates"))
            .header("Content-Type", "application/json")
            .header("Accept", "application/pkix-cert")
            .header("Prefer", "wait=" + terms.waitSeconds())
            .header("Idempotency-Key", session -> visit(session).ask.key())
            .body(StringBody(session -> body(visit(session).ask))));
  }

  private String body(Ask ask) {
    Terms.Account account = account(ask.requester());
    List<String> all = csrs(ask.kind() == Kind.RENEW ? account.renewalCsrs() : account.csrs());
    String csr = all.get(ask.csr() % all.size());
    return ask.kind() == Kind.RENEW
        ? "{\"csr\":\"" + csr + "\"}"
        : "{\"profile\":\"" + account.profile() + "\",\"csr\":\"" + csr + "\"}";
  }

  private HttpRequestActionBuilder authorized(HttpRequestActionBuilder request) {
    boolean isMutual =
        terms.accounts().values().stream().allMatch(account -> account.token().isEmpty());
    return isMutual
        ? request
        : request.header(
            "Authorization",
            session -> "Bearer " + account(visit(session).ask.requester()).token());
  }

  private Terms.Account account(String requester) {
    Terms.Account account = terms.accounts().get(requester);
    if (account == null) {
      throw new IllegalStateException("no account of " + requester);
    }
    return account;
  }

  private List<String> csrs(String file) {
    List<String> all = csrs.get(file);
    if (all == null) {
      throw new IllegalStateException("no requests in '" + file + "'");
    }
    return all;
  }

  private byte[] question(Session session) {
    byte[] question = ocspQuestion.clone();
    byte[] serial = HexFormat.of().parseHex(visit(session).ask.serial());
    System.arraycopy(serial, 0, question, question.length - serial.length, serial.length);
    return question;
  }

  private Function<Session, String> secure(Function<Ask, String> path) {
    return session -> targets.secure(visit(session).node, path.apply(visit(session).ask));
  }

  static Visit visit(Session session) {
    Visit visit = session.get(VISIT);
    if (visit == null) {
      throw new IllegalStateException("a user without a visit");
    }
    return visit;
  }
}
