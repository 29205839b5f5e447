package org.sluiceca.load.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsrPoolTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void pools_areOfTheirKeysAndOneForEachKind() throws Exception {
    Path rsa = CsrPool.file(folder, "first", "rsa-2048", 2);
    Path ec = CsrPool.file(folder, "first", "ec-p256", 2);
    Path others = CsrPool.file(folder, "second", "ec-p256", 2);

    assertThat(CsrPool.file(folder, "first", "rsa-2048", 2)).isEqualTo(rsa);
    assertThat(List.of(rsa, ec, others)).doesNotHaveDuplicates();
    assertThat(Files.readAllLines(rsa))
        .hasSize(2)
        .allMatch(csr -> algorithm(csr).equals(PKCSObjectIdentifiers.rsaEncryption));
    assertThat(Files.readAllLines(ec))
        .hasSize(2)
        .allMatch(csr -> algorithm(csr).equals(X9ObjectIdentifiers.id_ecPublicKey))
        .doesNotContainAnyElementsOf(Files.readAllLines(others));
  }

  private static Object algorithm(String csr) {
    return CertificationRequest.getInstance(Base64.getDecoder().decode(csr))
        .getCertificationRequestInfo()
        .getSubjectPublicKeyInfo()
        .getAlgorithm()
        .getAlgorithm();
  }
}
