package org.sluiceca.api.revocation.crl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.core.crl.PlannedCrl;
import org.sluiceca.core.crl.PlannedCrl.Kind;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.x509.CrlDer;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertListDer;

/** What a node shows: never an older CRL after a newer one, and no delta without its base. */
class CrlFolderTest {

  private static final CrlScope SCOPE = new CrlScope(Fixtures.ISSUING, 0);
  private static final CrlScope SHARD = new CrlScope(Fixtures.ISSUING, 7);

  @TempDir Path temporary;
  private Path web = Path.of("");
  private CrlFolder folder;

  @BeforeEach
  void make() throws IOException {
    web = temporary.resolve("web");
    folder = new CrlFolder(temporary.resolve("own"), web);
  }

  @Test
  void publish_completeAndDelta_underTheNamesOfTheirUris() throws IOException {
    publish(complete(SCOPE, 5));
    publish(delta(SCOPE, 6, 5));
    publish(complete(SHARD, 8));
    publish(delta(SHARD, 9, 8));

    assertThat(web.resolve("issuing.crl")).hasBinaryContent(new byte[] {5});
    assertThat(web.resolve("issuing/delta.crl")).hasBinaryContent(new byte[] {6});
    assertThat(web.resolve("issuing/7.crl")).hasBinaryContent(new byte[] {8});
    assertThat(web.resolve("issuing/7-delta.crl")).hasBinaryContent(new byte[] {9});
    assertThat(folder.number(CrlName.complete(SCOPE))).isEqualTo(5);
    assertThat(folder.number(CrlName.delta(SCOPE))).isEqualTo(6);
    assertThat(Files.readAllBytes(folder.find(CrlName.delta(SHARD)).orElseThrow().file()))
        .containsExactly(9);
  }

  @Test
  void publish_deltaBeforeItsBase_notYet() throws IOException {
    publish(delta(SCOPE, 6, 5));
    assertThat(folder.find(CrlName.delta(SCOPE))).isEmpty();

    publish(complete(SCOPE, 4));
    publish(delta(SCOPE, 6, 5));
    assertThat(folder.find(CrlName.delta(SCOPE))).isEmpty();

    publish(complete(SCOPE, 5));
    publish(delta(SCOPE, 6, 5));
    assertThat(folder.number(CrlName.delta(SCOPE))).isEqualTo(6);
  }

  @Test
  void publish_lowerNumber_notShown() throws IOException {
    publish(complete(SCOPE, 5));
    publish(delta(SCOPE, 9, 5));

    publish(delta(SCOPE, 8, 5));
    publish(complete(SCOPE, 4));

    assertThat(folder.number(CrlName.delta(SCOPE))).isEqualTo(9);
    assertThat(folder.number(CrlName.complete(SCOPE))).isEqualTo(5);
  }

  private void publish(PlannedCrl crl) throws IOException {
    folder.publish(crl, CrlDer.of(new byte[] {(byte) crl.number()}));
  }

  private static PlannedCrl complete(CrlScope scope, long number) {
    return crl(scope, number, new Kind.Complete(Fixtures.NOW, 0, Optional.empty()));
  }

  private static PlannedCrl delta(CrlScope scope, long number, long base) {
    return crl(scope, number, new Kind.Delta(base));
  }

  private static PlannedCrl crl(CrlScope scope, long number, Kind kind) {
    return new PlannedCrl(
        scope,
        number,
        number - 1,
        SignatureAlgorithm.ECDSA_SHA256,
        TbsCertListDer.of(new byte[] {1}),
        new PlannedCrl.Terms(0, false, Fixtures.NOW, Fixtures.NOW.plusSeconds(60), 0),
        kind);
  }
}
