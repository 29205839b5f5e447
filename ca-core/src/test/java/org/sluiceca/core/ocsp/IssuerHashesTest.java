package org.sluiceca.core.ocsp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.security.MessageDigest;
import java.util.List;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.core.der.CertId;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.OctetString;

class IssuerHashesTest {

  private static final Issuer ISSUING = Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"));
  private static final Issuer ROOT = Fixtures.root(SoftwareKey.named("issuer-ec-p384"));
  private static final IssuerHashes HASHES = new IssuerHashes(List.of(ISSUING, ROOT));

  @ParameterizedTest
  @CsvSource({CertId.SHA_1 + ",SHA-1", CertId.SHA_256 + ",SHA-256"})
  void find_nameAndKey_theIssuer(String oid, String hash) throws Exception {
    assertThat(HASHES.find(id(oid, name(ISSUING, hash), key(ISSUING, hash)))).contains(ISSUING);
    assertThat(HASHES.find(id(oid, name(ROOT, hash), key(ROOT, hash)))).contains(ROOT);
  }

  @Test
  void find_nameOfOneKeyOfAnother_nobody() throws Exception {
    assertThat(HASHES.find(id(CertId.SHA_1, name(ISSUING, "SHA-1"), key(ROOT, "SHA-1")))).isEmpty();
  }

  @Test
  void find_otherHash_nobody() throws Exception {
    assertThat(HASHES.find(id(CertId.SHA_256, name(ISSUING, "SHA-1"), key(ISSUING, "SHA-1"))))
        .isEmpty();
    assertThat(
            HASHES.find(
                id("2.16.840.1.101.3.4.2.3", name(ISSUING, "SHA-512"), key(ISSUING, "SHA-512"))))
        .isEmpty();
  }

  @Test
  void new_sameNameAndKeyTwice_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new IssuerHashes(List.of(ISSUING, ISSUING)));
  }

  private static CertId id(String oid, OctetString name, OctetString key) {
    return new CertId(oid, true, name, key, OctetString.copyOf(new byte[] {1}));
  }

  private static OctetString name(Issuer issuer, String hash) throws Exception {
    return OctetString.copyOf(MessageDigest.getInstance(hash).digest(issuer.subject().encoded()));
  }

  private static OctetString key(Issuer issuer, String hash) throws Exception {
    return OctetString.copyOf(
        MessageDigest.getInstance(hash)
            .digest(
                SubjectPublicKeyInfo.getInstance(issuer.subjectPublicKeyInfo().encoded())
                    .getPublicKeyData()
                    .getBytes()));
  }
}
