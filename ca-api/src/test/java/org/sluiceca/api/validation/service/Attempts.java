package org.sluiceca.api.validation.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.validation.AddressPolicy;
import org.sluiceca.api.validation.Challenge;
import org.sluiceca.api.validation.Method;
import org.sluiceca.api.validation.PersistTerms;
import org.sluiceca.api.validation.Perspectives;
import org.sluiceca.api.validation.Perspectives.Perspective;
import org.sluiceca.api.validation.ValidationTerms;
import org.sluiceca.api.validation.Verdict;
import org.sluiceca.core.registration.name.Identifier;

/** Attempts of a trial: loopback addresses are allowed, and each port is the test's. */
final class Attempts {

  static final Instant NOW = Instant.parse("2026-11-27T00:00:00Z");
  static final String TOKEN = "evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA";
  static final String KEY = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";
  static final String KEY_AUTHORIZATION = TOKEN + "." + KEY;
  static final String ACCOUNT = "https://ca.example/acct/123";
  static final String HASH_PREFIX = "https://ca.example/account-hash/";
  static final String NAME = "www.example.org";

  /** What must succeed may take this long on a slow machine. */
  static final Duration LONG = Duration.ofSeconds(50);

  private static final Duration LONG_WITH_PERSPECTIVES =
      ValidationTerms.DEADLINE_WITH_PERSPECTIVES_MAX;

  /** What must fail by it. */
  static final Duration SHORT = Duration.ofSeconds(2);

  /** A port where nothing listens, of those that are never used for a test. */
  static final int UNUSED_PORT = 1;

  private final List<InetSocketAddress> resolvers = new ArrayList<>();
  private boolean allMustAgree;
  private int httpPort = UNUSED_PORT;
  private int tlsPort = UNUSED_PORT;
  private AddressPolicy addresses = AddressPolicy.of(AddressPolicy.Scope.TRIAL);
  private PersistTerms persist = PersistTerms.none();
  private Duration deadline = LONG;
  private final List<Perspective> perspectives = new ArrayList<>();
  private int agree;

  Attempts resolver(NameServer server) {
    resolvers.add(server.address());
    return this;
  }

  Attempts allMustAgree() {
    allMustAgree = true;
    return this;
  }

  Attempts httpPort(int port) {
    httpPort = port;
    return this;
  }

  Attempts tlsPort(int port) {
    tlsPort = port;
    return this;
  }

  Attempts addresses(AddressPolicy policy) {
    addresses = policy;
    return this;
  }

  Attempts persist(PersistTerms terms) {
    persist = terms;
    return this;
  }

  /** All must agree, unless {@link #agree} follows. */
  Attempts perspective(String name, NameServer server, String... source) {
    perspectives.add(
        new Perspective(
            name,
            List.of(server.address()),
            Arrays.stream(source).map(InetAddress::ofLiteral).findFirst()));
    agree = perspectives.size();
    return this;
  }

  Attempts agree(int number) {
    agree = number;
    return this;
  }

  Attempts deadline(Duration limit) {
    deadline = limit;
    return this;
  }

  Verdict validate(Method method, String identifier) {
    boolean wildcard = identifier.startsWith("*.");
    Identifier named =
        identifier.matches("[0-9.]+|.*:.*")
            ? new Identifier.Ip(InetAddress.ofLiteral(identifier))
            : new Identifier.Dns(wildcard ? identifier.substring(2) : identifier);
    boolean hasToken = method != Method.DNS_PERSIST_01;
    return new Validators(InstantSource.fixed(NOW))
        .validate(
            new Challenge(
                method,
                named,
                wildcard,
                hasToken ? TOKEN : "",
                hasToken ? KEY_AUTHORIZATION : "",
                new Challenge.Account(
                    ACCOUNT, HASH_PREFIX, List.of("new" + KEY.substring(3), KEY))),
            new ValidationTerms(
                resolvers,
                allMustAgree,
                httpPort,
                tlsPort,
                addresses,
                persist,
                perspectives.isEmpty() || !deadline.equals(LONG)
                    ? deadline
                    : LONG_WITH_PERSPECTIVES,
                new Perspectives(perspectives, agree)));
  }

  static void assertValid(Verdict verdict, Optional<Instant> until) {
    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Valid.class, valid -> assertThat(valid.until()).isEqualTo(until));
  }

  static void assertValid(Verdict verdict) {
    assertValid(verdict, Optional.empty());
  }

  /** With each of {@code words} in its detail. */
  static void assertFailed(Verdict verdict, Verdict.Kind kind, String... words) {
    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Failed.class,
            failed -> {
              for (String word : words) {
                assertThat(failed.detail()).contains(word);
              }
              assertThat(failed.kind()).isEqualTo(kind);
            });
  }
}
