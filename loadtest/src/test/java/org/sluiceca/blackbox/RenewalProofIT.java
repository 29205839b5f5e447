package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server renews its own certificate by nothing but its key: no token, no client certificate. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class RenewalProofIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final String HEADER = "Sluice-Proof";

  /** A certificate, with the key that proves it. */
  private record Held(Csr csr, X509Certificate certificate) {

    static Held enrolled(Csr.KeyType type, String host) {
      Csr csr = Csr.openssl(TRIAL.trial().folder(), type, host);
      return new Held(
          csr, TRIAL.trial().enroller().enroll("tls-server", csr.pemBytes()).is(201).certificate());
    }

    String serial() {
      return "%038x".formatted(certificate.getSerialNumber());
    }

    String path() {
      return Api.CERTIFICATES + "/" + serial();
    }

    /** The header for what the documentation says is signed. */
    String proof(String url, String serial, long time, byte[] csrDer) {
      String text =
          "sluice-renewal-proof-v1\n%s\n%s\n%d\n%s\n".formatted(url, serial, time, sha256(csrDer));
      return "time=%d, signature=:%s:"
          .formatted(time, Base64.getEncoder().encodeToString(signed(text)));
    }

    String proof(Csr next) {
      return proof(url(), serial(), Instant.now().getEpochSecond(), next.der());
    }

    private byte[] signed(String text) {
      Path file = Csr.write(TRIAL.trial().folder(), text);
      String algorithm = certificate.getPublicKey().getAlgorithm();
      List<Object> words = new ArrayList<>(List.of("openssl"));
      if (algorithm.startsWith("Ed")) {
        words.addAll(List.of("pkeyutl", "-sign", "-rawin", "-inkey", csr.key(), "-in", file));
      } else {
        words.addAll(List.of("dgst", hash(), "-sign", csr.key()));
        if (algorithm.equals("RSA")) {
          words.addAll(
              List.of("-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest"));
        }
        words.add(file);
      }
      return Program.of(words.toArray()).run().ok().bytes();
    }

    private String hash() {
      return switch (certificate.getPublicKey().getEncoded().length) {
        case 120 -> "-sha384";
        case 158 -> "-sha512";
        default -> "-sha256";
      };
    }
  }

  private static String url() {
    return "https://localhost:" + TRIAL.trial().https(0).getPort();
  }

  private static Csr next(String host) {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, host);
  }

  private static Answer renew(Held held, String proof, Csr next) {
    return TRIAL
        .trial()
        .enroller()
        .anonymous()
        .with(HEADER, proof)
        .post(held.path() + "/renewal", Api.PKCS10, next.pemBytes());
  }

  @ParameterizedTest
  @EnumSource(Csr.KeyType.class)
  void renew_byTheKeyAlone_issuedToTheFirstRequester(Csr.KeyType type) {
    String host =
        "proof-%s.example.com".formatted(type.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    Held held = Held.enrolled(type, host);
    Csr next = next(host);

    X509Certificate renewed = renew(held, held.proof(next), next).is(201).certificate();

    assertThat(renewed.getSubjectX500Principal())
        .isEqualTo(held.certificate().getSubjectX500Principal());
    // Found as what the first requester enrolled.
    TRIAL
        .trial()
        .enroller()
        .get(Api.CERTIFICATES + "/%038x".formatted(renewed.getSerialNumber()))
        .is(200);
  }

  /** The path's form is free, as on every route; what is signed has one form. */
  @Test
  void renew_serialNumberWithColons_issued() {
    Held held = Held.enrolled(Csr.KeyType.EC_P256, "colons.example.com");
    Csr next = next("colons.example.com");
    String colons = held.serial().replaceAll("..(?!$)", "$0%3A");

    Answer answer =
        TRIAL
            .trial()
            .enroller()
            .anonymous()
            .with(HEADER, held.proof(next))
            .post(Api.CERTIFICATES + "/" + colons + "/renewal", Api.PKCS10, next.pemBytes());

    assertThat(answer.is(201).certificate().getPublicKey())
        .isNotEqualTo(held.certificate().getPublicKey());
  }

  @Test
  void renew_sameProofAgain_theFirstAnswer() {
    Held held = Held.enrolled(Csr.KeyType.EC_P256, "again.example.com");
    Csr next = next("again.example.com");
    long time = Instant.now().getEpochSecond();
    X509Certificate first =
        renew(held, held.proof(url(), held.serial(), time, next.der()), next).is(201).certificate();

    // Signed again, so another signature: what it says is the same.
    Answer again = renew(held, held.proof(url(), held.serial(), time, next.der()), next).is(201);

    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(again.certificate()).isEqualTo(first);
  }

  @Test
  void renew_proofOfSomethingElse_401() {
    Held held = Held.enrolled(Csr.KeyType.EC_P256, "else.example.com");
    Held other = Held.enrolled(Csr.KeyType.EC_P256, "else.example.com");
    Csr next = next("else.example.com");
    long now = Instant.now().getEpochSecond();
    byte[] der = next.der();
    List<String> proofs =
        List.of(
            held.proof("https://evil.example.com", held.serial(), now, der),
            held.proof(url(), other.serial(), now, der),
            held.proof(url(), held.serial(), now - 400, der),
            held.proof(url(), held.serial(), now + 400, der),
            held.proof(url(), held.serial(), now, next("else.example.com").der()),
            other.proof(url(), held.serial(), now, der),
            "time=%d, signature=:AAAA:".formatted(now));
    for (String proof : proofs) {
      renew(held, proof, next).isProblem(401, "/unauthenticated");
    }
    renew(held, "Basic abc", next).isProblem(401, "/unauthenticated");
    // The CSR's own signature never counts, nor does a Host header choose the URL.
    TRIAL
        .trial()
        .enroller()
        .anonymous()
        .post(held.path() + "/renewal", Api.PKCS10, next.pemBytes())
        .isProblem(401, "/unauthenticated");
  }

  @Test
  void renew_withASecondCredentialOrKey_400() {
    Held held = Held.enrolled(Csr.KeyType.EC_P256, "two.example.com");
    Csr next = next("two.example.com");

    TRIAL
        .trial()
        .enroller()
        .with(HEADER, held.proof(next))
        .post(held.path() + "/renewal", Api.PKCS10, next.pemBytes())
        .isProblem(400, "/malformed-request");
    TRIAL
        .trial()
        .enroller()
        .anonymous()
        .with(HEADER, held.proof(next), "Idempotency-Key", "mine")
        .post(held.path() + "/renewal", Api.PKCS10, next.pemBytes())
        .isProblem(400, "/malformed-request");
  }

  /** A proof is for one renewal: other routes do not know it. */
  @Test
  void otherRoutes_withAProof_401() {
    Held held = Held.enrolled(Csr.KeyType.EC_P256, "only.example.com");
    Api api =
        TRIAL.trial().enroller().anonymous().with(HEADER, held.proof(next("only.example.com")));

    api.get(held.path()).isProblem(401, "/unauthenticated");
    api.postJson(held.path() + "/revocation", Map.of("reason", "superseded"))
        .isProblem(401, "/unauthenticated");
    api.enroll("tls-server", next("only.example.com").pemBytes())
        .isProblem(401, "/unauthenticated");
  }

  @Test
  void renew_revokedOrOtherNames_refused() {
    Held held = Held.enrolled(Csr.KeyType.EC_P256, "gone.example.com");
    Csr other = next("other.example.com");
    renew(held, held.proof(other), other).isProblem(422, "/name-not-allowed");
    TRIAL
        .trial()
        .enroller()
        .postJson(held.path() + "/revocation", Map.of("reason", "superseded"))
        .is(200);
    Csr next = next("gone.example.com");

    renew(held, held.proof(next), next).isProblem(409, "/conflict");
  }

  /** What the requester's tokens do does not matter; that an administrator ends them does. */
  @Test
  void renew_grantWithdrawn_403() {
    Answer registered =
        TRIAL
            .trial()
            .api(0, "admin")
            .postJson(
                "/v1/credentials",
                Map.of(
                    "requester",
                    "proof-grant",
                    "roles",
                    List.of("REQUESTER"),
                    "profiles",
                    List.of("tls-server")))
            .is(201);
    Csr csr = next("granted.example.com");
    Held held =
        new Held(
            csr,
            TRIAL
                .trial()
                .enroller()
                .anonymous()
                .with(Api.bearer(registered.json().path("token").asString()))
                .enroll("tls-server", csr.pemBytes())
                .is(201)
                .certificate());
    Csr next = next("granted.example.com");
    renew(held, held.proof(next), next).is(201);

    TRIAL.trial().api(0, "admin").delete(registered.header("Location")).is(204);

    Csr last = next("granted.example.com");
    renew(held, held.proof(last), last).isProblem(403, "/forbidden");
  }

  /** A stranger may send any number of bad proofs: they leave no row. */
  @Test
  void renew_manyBadProofs_noRowAndAnHonestOneIsAnswered() {
    Held held = Held.enrolled(Csr.KeyType.EC_P256, "flood.example.com");
    Csr next = next("flood.example.com");
    String bad = "time=%d, signature=:AAAA:".formatted(Instant.now().getEpochSecond());
    String facts = "SELECT count(*) FROM audit_event WHERE content LIKE '%" + held.serial() + "%'";
    long before = LedgerRows.count(TRIAL.trial(), facts);
    for (int i = 0; i < 200; i++) {
      renew(held, bad, next).isProblem(401, "/unauthenticated");
    }

    // The one that was issued may come into the trail meanwhile.
    assertThat(LedgerRows.count(TRIAL.trial(), facts)).isLessThanOrEqualTo(before + 1);
    renew(held, held.proof(next), next).is(201);
  }

  private static String sha256(byte[] octets) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
