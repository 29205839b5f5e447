package org.sluiceca.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.plan.Issuer.Publications;

class PublicationsTest {

  private static final String CER = "http://pki.example.test/issuers/a.cer";
  private static final String CRL = "http://pki.example.test/crl/a.crl";

  @ParameterizedTest
  @CsvSource({
    "0, http://pki.example.test/crl/a.crl, http://pki.example.test/crl/a/delta.crl",
    "1, http://pki.example.test/crl/a/1.crl, http://pki.example.test/crl/a/1-delta.crl",
    "9999, http://pki.example.test/crl/a/9999.crl, http://pki.example.test/crl/a/9999-delta.crl"
  })
  void uris_ofAShard_belowTheIssuer(int shard, String crl, String delta) {
    Publications publications = sharded(CRL, 9_999);

    assertThat(publications.crlUri(shard)).isEqualTo(crl);
    assertThat(publications.deltaUri(shard)).isEqualTo(delta);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 10_000})
  void shards_outsideTheRange_refused(int shards) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sharded(CRL, shards))
        .withMessage("no CRL of " + shards + " at " + CRL);
  }

  @Test
  void crlUri_withoutTheSuffix_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sharded(CER, 1))
        .withMessageContaining(CER);
  }

  private static Publications sharded(String crlUri, int shards) {
    return new Publications(CER, crlUri, shards, Optional.empty());
  }
}
