package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.blackbox.Csr.KeyType;

/** Issuers, and of each certificates of every status, in a running trial. */
final class StatusCast {

  /** What is true of a certificate. */
  enum Status {
    GOOD,
    REVOKED,
    HELD,
    /** It was on hold, and on a CRL. */
    RELEASED,
    /** Signed with the issuer's key, and the ledger does not know it. */
    NEVER_ISSUED,
    /** Its notAfter has come. */
    EXPIRED,
    /** Revoked before that. */
    EXPIRED_REVOKED;

    boolean isExpired() {
      return this == EXPIRED || this == EXPIRED_REVOKED;
    }

    /** Whether a CRL lists it. */
    boolean isRevoked() {
      return this == REVOKED || this == HELD || this == EXPIRED_REVOKED;
    }
  }

  /**
   * An issuer.
   *
   * @param pem its certificate alone
   */
  record Issuer(String name, Path root, Path pem, X509Certificate certificate, RelyingParty party) {

    String crl() {
      return "/crl/" + name + ".crl";
    }
  }

  /**
   * A certificate.
   *
   * @param csr the key that it is for
   * @param pem it, alone
   */
  record Member(
      Issuer issuer, KeyType key, Csr csr, Status status, X509Certificate certificate, Path pem) {

    /** Where a test may put files of its own. */
    Path folder() {
      return issuer.party().trial().folder();
    }

    String path() {
      return Api.CERTIFICATES + "/" + serial();
    }

    String serial() {
      return "%038x".formatted(certificate.getSerialNumber());
    }

    @Override
    public String toString() {
      return status + " certificate of " + key + " by " + issuer.name();
    }
  }

  /**
   * Which issuers there are, and for which keys they certify.
   *
   * @param issuers names, and the algorithms of their keys; that called issuing is always there
   */
  record Breadth(Map<String, String> issuers, List<KeyType> keys) {

    private static final Map<String, String> FAMILIES =
        Map.of("issuing", "ec-p256", "by-ed25519", "ed25519", "by-rsa2", "rsa-2048");

    private static final Map<String, String> OTHERS =
        Map.of("by-p384", "ec-p384", "by-rsa3", "rsa-3072", "by-rsa4", "rsa-4096");

    /** An issuer of each family of algorithms; their status does not depend on leaves' keys. */
    static final Breadth NARROW = new Breadth(FAMILIES, List.of(KeyType.EC_P256));

    /** An issuer with a key of every algorithm, and leaves with keys of every kind. */
    static final Breadth WIDE =
        new Breadth(
            Stream.of(FAMILIES, OTHERS)
                .flatMap(some -> some.entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
            List.of(KeyType.EC_P256, KeyType.RSA_2048, KeyType.ED25519));

    Breadth {
      issuers = Collections.unmodifiableSortedMap(new TreeMap<>(issuers));
      keys = List.copyOf(keys);
    }

    /** How a trial for it is started: OCSP responses end soon, and CRLs name their deltas. */
    Trial.Options options(Path folder) {
      return StatusCast.options(this, folder);
    }
  }

  /** Added to what this machine has just taken for more. */
  private static final Duration ENDS_AFTER_MIN = Duration.ofSeconds(15);

  private static final Duration WITHIN = Duration.ofMinutes(2);

  private static final String REVOCATION = "/revocation";

  private static final String PROFILE =
      """
      name: %s
      version: %d
      description: Certificates of every status, of a test
      use: enrollment
      issuer: %s
      validity: {%s, backdate: PT5M}
      subject: {optional: [common_name]}
      key: {algorithms: [rsa, ec_p256, ed25519], rsaBitsMin: 2048}
      subjectAltName: {forms: [dns], countMax: 10, required: true, commonNameAsDns: true}
      extensions: {keyUsage: [digital_signature], extendedKeyUsage: [server_auth], revocation: crl}
      """;

  private static final String FORGET =
      """
      WITH gone AS (DELETE FROM outcome WHERE encode(serial, 'hex') = ? RETURNING serial)
      DELETE FROM intent WHERE serial IN (SELECT serial FROM gone)
      """;

  private final Trial trial;
  private final Breadth breadth;
  private final Api plain;
  private final Api admin;
  private final Map<KeyType, Csr> requests = new TreeMap<>();
  private final List<Issuer> issuers = new ArrayList<>();
  private final List<Member> members = new ArrayList<>();
  private final Map<String, X509CRL> crls = new ConcurrentHashMap<>();
  private Instant end = Instant.MAX;

  private StatusCast(Trial trial, Breadth breadth) {
    this.trial = trial;
    this.breadth = breadth;
    this.plain = Api.plain(trial.plain(0));
    this.admin = trial.api(0, "admin");
    for (KeyType key : breadth.keys()) {
      requests.put(key, Csr.openssl(trial.folder(), key, "status.example.com"));
    }
  }

  /**
   * How a trial for it is started: OCSP responses end soon, and CRLs name their deltas, of which
   * most validators know nothing.
   */
  private static Trial.Options options(Breadth breadth, Path folder) {
    try {
      Path profiles = Files.createDirectory(folder.resolve("profiles"));
      try (Stream<Path> shipped = Files.list(Checkout.shippedProfiles())) {
        for (Path file : shipped.toList()) {
          Path ignored = Files.copy(file, profiles.resolve(file.getFileName()));
        }
      }
      for (String issuer : breadth.issuers().keySet()) {
        Path ignored =
            Files.writeString(
                profiles.resolve(lasting(issuer) + ".yaml"),
                PROFILE.formatted(lasting(issuer), 1, issuer, "duration: P90D"));
      }
      return new Trial.Options(
          1,
          List.of(
              "--public-url",
              TrialExtension.PUBLIC_URL,
              "--more-issuers",
              breadth.issuers().entrySet().stream()
                  .filter(issuer -> !issuer.getKey().equals("issuing"))
                  .map(issuer -> issuer.getKey() + "=" + issuer.getValue())
                  .collect(Collectors.joining(","))),
          Map.of(
              "SLUICE_PROFILES", profiles.toString(),
              "SLUICE_OCSP_LIFETIME", "1m",
              "SLUICE_CRL_DELTA_INTERVAL", "10s"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Issues all, does to them what their status says, and waits until CRLs tell it. Those that are
   * to end may still live for some seconds: {@link #awaitEnds}.
   */
  static StatusCast of(Trial trial, Breadth breadth) {
    StatusCast cast = new StatusCast(trial, breadth);
    breadth.issuers().keySet().forEach(cast::meet);
    long start = System.nanoTime();
    cast.issueAll(cast.requester(StatusCast::lasting), status -> !status.isExpired());
    cast.publish(status -> status.isRevoked() || status == Status.RELEASED);
    cast.of(Status.RELEASED)
        .forEach(member -> cast.admin.delete(member.path() + REVOCATION).is(200));
    cast.publish(Status::isRevoked);

    // What ends is issued and on its CRL by then: that is less work than this was.
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    cast.end = Instant.now().plus(took).plus(ENDS_AFTER_MIN).truncatedTo(ChronoUnit.SECONDS);
    cast.activate(cast.end);
    cast.issueAll(cast.requester(StatusCast::ending), Status::isExpired);
    cast.publish(Status::isRevoked);
    return cast;
  }

  /** Waits until those that are to end have ended. */
  void awaitEnds() {
    Poll.until("they have ended", WITHIN, () -> Instant.now().isAfter(end.plusSeconds(1)));
  }

  List<Issuer> issuers() {
    return List.copyOf(issuers);
  }

  List<Member> members() {
    return List.copyOf(members);
  }

  /** The certificates of this status, of every issuer and key. */
  List<Member> of(Status status) {
    return members.stream().filter(member -> member.status() == status).toList();
  }

  /** The one of this issuer for an EC key. */
  Member of(Issuer issuer, Status status) {
    return of(status).stream()
        .filter(member -> member.issuer().equals(issuer) && member.key() == KeyType.EC_P256)
        .findFirst()
        .orElseThrow();
  }

  URI responder() {
    return trial.plain(0).resolve("/ocsp");
  }

  /** What the responder answers to this request. */
  byte[] answer(byte[] request) {
    return plain.post("/ocsp", "application/ocsp-request", request).is(200).body();
  }

  /** The issuer's CRL and the root's. */
  List<X509CRL> crls(Issuer issuer) {
    return Stream.of(issuer.name(), "root")
        .map(name -> crls.computeIfAbsent(name, this::crl))
        .toList();
  }

  private X509CRL crl(String name) {
    return RelyingParty.read(plain.get("/crl/" + name + ".crl").is(200).body());
  }

  private void meet(String name) {
    String chain = name.equals("issuing") ? "chain.pem" : "chain-" + name + ".pem";
    X509Certificate certificate = Answer.certificate(Csr.read(trial.data().resolve(chain)));
    issuers.add(
        new Issuer(
            name,
            trial.data().resolve("root.pem"),
            Csr.write(trial.folder(), RelyingParty.pem(certificate)),
            certificate,
            new RelyingParty(trial, chain)));
  }

  /** Has a profile of each issuer whose certificates all end then. */
  private void activate(Instant end) {
    for (Issuer issuer : issuers) {
      String name = ending(issuer.name());
      String yaml = PROFILE.formatted(name, 2, issuer.name(), "notAfter: \"" + end + "\"");
      admin.post("/v1/profiles", "application/yaml", Api.ascii(yaml)).is(201);
      admin
          .with("Content-Type", Api.JSON)
          .send(
              "PUT", "/v1/profiles/" + name + "/active", BodyPublishers.ofString("{\"version\":2}"))
          .is(200);
    }
  }

  /** Who may enroll from every issuer, under the profile that is called so. */
  private Api requester(UnaryOperator<String> profile) {
    Set<String> profiles =
        breadth.issuers().keySet().stream()
            .map(profile)
            .collect(Collectors.toCollection(TreeSet::new));
    Poll.until(
        "the node knows " + profiles,
        WITHIN,
        () -> {
          String known = admin.get("/v1/profiles").is(200).text();
          return profiles.stream().allMatch(name -> known.contains('"' + name + '"'));
        });
    Answer registered =
        admin
            .postJson(
                "/v1/credentials",
                Map.of("requester", "cast", "roles", List.of("REQUESTER"), "profiles", profiles))
            .is(201);
    return admin.anonymous().with(Api.bearer(registered.json().path("token").asString()));
  }

  private static String lasting(String issuer) {
    return "lasting-" + issuer;
  }

  private static String ending(String issuer) {
    return "ending-" + issuer;
  }

  private void issueAll(Api requester, Predicate<Status> which) {
    for (Status status : Stream.of(Status.values()).filter(which).toList()) {
      for (Issuer issuer : issuers) {
        requests.forEach((key, csr) -> issue(requester, issuer, key, csr, status));
      }
    }
  }

  private void issue(Api requester, Issuer issuer, KeyType key, Csr csr, Status status) {
    String profile = status.isExpired() ? ending(issuer.name()) : lasting(issuer.name());
    X509Certificate certificate = requester.enroll(profile, csr.pemBytes()).is(201).certificate();
    Member member =
        new Member(
            issuer,
            key,
            csr,
            status,
            certificate,
            Csr.write(trial.folder(), RelyingParty.pem(certificate)));
    members.add(member);
    switch (status) {
      case GOOD, EXPIRED -> {}
      // Not keyCompromise: others of the cast have the same key.
      case REVOKED -> revoke(member, "cACompromise");
      case EXPIRED_REVOKED -> revoke(member, "superseded");
      case HELD, RELEASED -> revoke(member, "certificateHold");
      case NEVER_ISSUED -> LedgerRows.damage(trial, FORGET, member.serial());
    }
  }

  private void revoke(Member member, String reason) {
    admin.postJson(member.path() + REVOCATION, Map.of("reason", reason)).is(200);
  }

  /** Waits until each issuer's CRL lists these and no other. */
  private void publish(Predicate<Status> isListed) {
    for (Issuer issuer : issuers) {
      Set<BigInteger> expected =
          members.stream()
              .filter(member -> member.issuer().equals(issuer) && isListed.test(member.status()))
              .map(member -> member.certificate().getSerialNumber())
              .collect(Collectors.toCollection(TreeSet::new));
      Poll.until(
          "the CRL of " + issuer.name() + " lists " + expected,
          WITHIN,
          () -> listed(crl(issuer.name())).equals(expected));
      crls.put(issuer.name(), crl(issuer.name()));
    }
  }

  private static Set<BigInteger> listed(X509CRL crl) {
    return crl.getRevokedCertificates() == null
        ? Set.of()
        : crl.getRevokedCertificates().stream()
            .map(entry -> entry.getSerialNumber())
            .collect(Collectors.toCollection(TreeSet::new));
  }
}
