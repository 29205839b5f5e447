package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An issuer whose certificates are spread over CRLs: none can be put in the place of another. */
class ShardedCrlIT {

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder ->
              new Trial.Options(
                  1,
                  List.of("--public-url", TrialExtension.PUBLIC_URL),
                  Map.of("SLUICE_CRL_SHARDS", "2", "SLUICE_CRL_DELTA_INTERVAL", "10s")));

  private static final Duration PUBLISHED_WITHIN = Duration.ofSeconds(90);

  private static final String DISTRIBUTION_POINTS = "2.5.29.31";
  private static final String ISSUING_DISTRIBUTION_POINT = "2.5.29.28";
  private static final Pattern SHARD = Pattern.compile("/crl/issuing/([12])\\.crl");

  /** Of this number of certificates all fall into one shard once in 2^39 runs. */
  private static final int CERTIFICATES = 40;

  @Test
  void revoked_onItsOwnShardOnly_andForeignValidatorsAgree() {
    List<X509Certificate> all = Stream.generate(ShardedCrlIT::enroll).limit(CERTIFICATES).toList();
    X509Certificate good = of(1, all).getLast();
    X509Certificate one = of(1, all).getFirst();
    X509Certificate two = of(2, all).getFirst();
    assertThat(good).isNotEqualTo(one);
    revoke(one);
    revoke(two);
    RelyingParty party = new RelyingParty(TRIAL.trial());
    Poll.until("the first", PUBLISHED_WITHIN, () -> crl(1).getRevokedCertificate(one) != null);
    Poll.until("the second", PUBLISHED_WITHIN, () -> crl(2).getRevokedCertificate(two) != null);

    assertThat(crl(1).getRevokedCertificate(two)).isNull();
    assertThat(crl(2).getRevokedCertificate(one)).isNull();
    for (int shard = 1; shard <= 2; shard++) {
      assertThat(crl(shard).getCriticalExtensionOIDs()).contains(ISSUING_DISTRIBUTION_POINT);
      assertThat(text(crl(shard).getExtensionValue(ISSUING_DISTRIBUTION_POINT)))
          .contains(TrialExtension.PUBLIC_URL + "/crl/issuing/" + shard + ".crl");
    }
    List<X509CRL> crls = List.of(crl(1), crl(2), party.crl(0, "/crl/root.crl"));
    assertThat(party.openssl(good, crls).status()).isZero();
    assertThat(party.openssl(one, crls).errors()).contains("certificate revoked");
    assertThat(party.openssl(two, crls).errors()).contains("certificate revoked");
    assertThat(party.pkix(good, crls)).isEqualTo("good");
    assertThat(party.pkix(one, crls)).isEqualTo("REVOKED");
    assertThat(party.pkix(two, crls)).isEqualTo("REVOKED");

    // The other shard's CRL proves nothing.
    List<X509CRL> wrong = List.of(crl(2), party.crl(0, "/crl/root.crl"));
    assertThat(party.openssl(one, wrong).status()).isNotZero();
    assertThat(party.openssl(one, wrong).errors()).doesNotContain("certificate revoked");
    assertThat(party.pkix(one, wrong)).isNotEqualTo("good");
  }

  /** With the issuingDistributionPoint of its base, without which no validator takes it. */
  @Test
  void delta_ofAShard_goesWithItsBaseAndNoOther() {
    List<X509CRL> bases = List.of(crl(1), crl(2));
    List<X509Certificate> all = Stream.generate(ShardedCrlIT::enroll).limit(CERTIFICATES).toList();
    X509Certificate good = of(1, all).getLast();
    X509Certificate one = of(1, all).getFirst();
    DeltaJudge judge = new DeltaJudge(TRIAL.trial());
    assertThat(judge.openssl(one, bases).status()).isZero();
    revoke(one);
    Poll.until("the delta", PUBLISHED_WITHIN, () -> delta(1).getRevokedCertificate(one) != null);

    assertThat(delta(1).getExtensionValue(ISSUING_DISTRIBUTION_POINT))
        .isEqualTo(bases.getFirst().getExtensionValue(ISSUING_DISTRIBUTION_POINT));
    List<X509CRL> both = List.of(bases.getFirst(), delta(1));
    assertThat(judge.openssl(good, both).status()).isZero();
    assertThat(judge.openssl(one, both).errors()).contains("certificate revoked");
    assertThat(judge.verdict(good, both)).isEqualTo("good");
    assertThat(judge.verdict(one, both)).contains("revo");
    // The other shard's does not know of it, and goes with its own base.
    assertThat(delta(2).getRevokedCertificate(one)).isNull();
    assertThat(judge.openssl(one, List.of(bases.getFirst(), delta(2))).errors())
        .doesNotContain("certificate revoked");
  }

  private static X509CRL delta(int shard) {
    return new RelyingParty(TRIAL.trial()).crl(0, "/crl/issuing/" + shard + "-delta.crl");
  }

  private static X509Certificate enroll() {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "www.example.com");
    return TRIAL.trial().enroller().enroll("tls-server", csr.pemBytes()).is(201).certificate();
  }

  private static void revoke(X509Certificate certificate) {
    TRIAL
        .trial()
        .enroller()
        .postJson(
            Api.CERTIFICATES + "/%038x/revocation".formatted(certificate.getSerialNumber()),
            Map.of("reason", "keyCompromise"))
        .is(200);
  }

  private static X509CRL crl(int shard) {
    return new RelyingParty(TRIAL.trial()).crl(0, "/crl/issuing/" + shard + ".crl");
  }

  private static List<X509Certificate> of(int shard, List<X509Certificate> all) {
    List<X509Certificate> those = all.stream().filter(c -> shardOf(c) == shard).toList();
    assertThat(those).hasSizeGreaterThan(1);
    return those;
  }

  /** As its own distribution point says. */
  private static int shardOf(X509Certificate certificate) {
    Matcher shard = SHARD.matcher(text(certificate.getExtensionValue(DISTRIBUTION_POINTS)));
    assertThat(shard.find()).isTrue();
    return Integer.parseInt(shard.group(1));
  }

  /** URIs are IA5Strings: they stand in the encoding as they are. */
  private static String text(byte[] encoded) {
    return new String(encoded, StandardCharsets.ISO_8859_1);
  }
}
