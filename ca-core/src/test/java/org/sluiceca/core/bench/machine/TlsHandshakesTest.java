package org.sluiceca.core.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.core.verify.BouncyCastleVerifier;

/** That what is measured is what its name says. */
// 7 s: keys by keytool, a JVM for each. It is a benchmark that is tested.
@Tag("slow")
class TlsHandshakesTest {

  @TempDir private Path folder;

  @Test
  void full_newPeer_serverIsJudgedEachTime() throws IOException, GeneralSecurityException {
    TlsHandshakes handshakes = handshakes(Optional.empty());

    for (int i = 0; i < 3; i++) {
      TlsHandshakes.Made made = handshakes.full();

      assertThat(made.isResumed()).isFalse();
      assertThat(made.isClientKnown()).isFalse();
      assertThat(made.nanos()).isPositive();
    }
  }

  @Test
  void resumed_samePeer_noCertificateIsJudged() throws IOException, GeneralSecurityException {
    TlsHandshakes handshakes = handshakes(Optional.empty());
    assertThat(handshakes.full().isResumed()).isFalse();

    for (int i = 0; i < 3; i++) {
      assertThat(handshakes.resumed().isResumed()).isTrue();
    }
    assertThat(handshakes.full().isResumed()).isFalse();
  }

  @Test
  void mutual_serverKnowsTheClient() throws IOException, GeneralSecurityException {
    assertThat(handshakes(Optional.of("rsa-2048")).full().isClientKnown()).isTrue();
  }

  @Test
  void verifications_rightAndWrong_told() {
    Verifications all = new Verifications("ec-p256", new BouncyCastleVerifier());

    assertThat(all.one()).isTrue();
    assertThat(all.isFooled()).isFalse();
  }

  private TlsHandshakes handshakes(Optional<String> clientKey)
      throws IOException, GeneralSecurityException {
    Identities identities = new Identities(folder);
    KeyStore server = identities.make("server", "ec-p256");
    Optional<KeyStore> client =
        clientKey.isEmpty()
            ? Optional.empty()
            : Optional.of(identities.make("client", clientKey.get()));
    return new TlsHandshakes(server, client, identities.trusted());
  }
}
