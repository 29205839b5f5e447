package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.file.Path;
import java.security.cert.X509CRL;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An issuer that was retired still tells of revocation: its certificates live on. */
class RetiredIssuerIT {

  private static final String CRL = "/crl/other.crl";

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder ->
              new Trial.Options(
                  1,
                  List.of(
                      "--public-url", TrialExtension.PUBLIC_URL, "--more-issuers", "other=ec-p256"),
                  Map.of("SLUICE_CRL_PERIOD", "1m")));

  /** A period, and some more. */
  private static final Duration NEXT_WITHIN = Duration.ofSeconds(100);

  @Test
  void retired_crlsAndOcspGoOn_butItIsNoIssuerAnyMore() {
    Trial trial = TRIAL.trial();
    Poll.until("its CRL", NEXT_WITHIN, () -> plain().get(CRL).status() == 200);
    BigInteger last = number();
    LedgerRows.damage(trial, "UPDATE issuer SET state = 'retired' WHERE name = ?", "other");
    trial.down().ok();
    trial.up().ok();

    assertThat(trial.enroller().get("/v1/issuers").is(200).text()).doesNotContain("other");
    plain().get("/issuers/other.cer").is(200);
    Poll.until("its CRL again", NEXT_WITHIN, () -> plain().get(CRL).status() == 200);
    Poll.until("the next CRL", NEXT_WITHIN, () -> number().compareTo(last) > 0);
    Path chain = trial.data().resolve("chain-other.pem");
    Program.Ended ocsp =
        Program.of(
                "openssl",
                "ocsp",
                "-issuer",
                chain,
                "-serial",
                "0x01",
                "-CAfile",
                trial.data().resolve("root.pem"),
                "-verify_other",
                chain,
                "-url",
                trial.plain(0) + "/ocsp")
            .run();
    assertThat(ocsp.text()).contains("0x01: unknown");
    assertThat(ocsp.errors()).contains("Response verify OK");
  }

  private static BigInteger number() {
    X509CRL crl = new RelyingParty(TRIAL.trial()).crl(0, CRL);
    byte[] value = crl.getExtensionValue("2.5.29.20");
    return new BigInteger(1, Arrays.copyOfRange(value, 4, value.length));
  }

  private static Api plain() {
    return Api.plain(TRIAL.trial().plain(0));
  }
}
