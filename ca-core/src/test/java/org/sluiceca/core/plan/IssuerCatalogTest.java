package org.sluiceca.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.IssuerName;

class IssuerCatalogTest {

  private static final Issuer ISSUING = Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"));
  private static final Issuer ROOT = Fixtures.root(SoftwareKey.named("issuer-ec-p384"));

  @Test
  void all_collectedInAnyOrder_inOrderOfNames() {
    assertThat(new IssuerCatalog(List.of(ROOT, ISSUING)).all()).containsExactly(ISSUING, ROOT);
  }

  @Test
  void find_nameOfOneOrNone_thatOrEmpty() {
    IssuerCatalog catalog = new IssuerCatalog(List.of(ROOT, ISSUING));

    assertThat(catalog.find(Fixtures.ROOT)).contains(ROOT);
    assertThat(catalog.find(new IssuerName("gone"))).isEmpty();
  }

  @Test
  void issuerCatalog_twoOfOneName_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new IssuerCatalog(List.of(ROOT, ISSUING, ROOT)))
        .withMessage("two issuers named root");
  }
}
