package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The TLS front of a node, as a foreign scanner sees it. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class TlsFrontIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  @BeforeEach
  void judge_isThere() {
    assumeTrue(TlsJudge.installed().isPresent(), "sslyze is not installed");
  }

  @Test
  void httpsPort_hasNoFault() {
    assertThat(TlsJudge.faults(TRIAL.trial().https(0).getPort(), TRIAL.trial().folder())).isEmpty();
  }

  /** The judge is judged: a server with old protocols and weak suites must not pass. */
  @Test
  void weakServer_isFoundOut() throws Exception {
    Path folder = TRIAL.trial().folder();
    Path key = Csr.write(folder, "");
    Path certificate = Csr.write(folder, "");
    Program.of(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-keyout",
            key,
            "-out",
            certificate,
            "-subj",
            "/CN=localhost",
            "-days",
            "1")
        .run()
        .ok();
    int port = freePort();
    Process server =
        new ProcessBuilder(
                "openssl",
                "s_server",
                "-accept",
                String.valueOf(port),
                "-key",
                key.toString(),
                "-cert",
                certificate.toString(),
                "-quiet",
                "-www",
                "-cipher",
                "ALL:@SECLEVEL=0",
                "-legacy_renegotiation",
                "-client_renegotiation")
            .redirectErrorStream(true)
            .redirectOutput(Csr.write(folder, "").toFile())
            .start();
    try {
      Poll.until("the weak server listens", START_LIMIT, () -> isListening(port));

      List<String> faults = TlsJudge.faults(port, folder);

      assertThat(faults)
          .anyMatch(fault -> fault.startsWith("tls_1_0 with "))
          .anyMatch(fault -> fault.startsWith("tls_1_1 with "))
          .anyMatch(fault -> fault.startsWith("tls_1_2 with TLS_RSA_WITH_"))
          .anyMatch(fault -> fault.startsWith("tls_1_2 with ") && fault.contains("_CBC_"))
          .anyMatch(fault -> fault.startsWith("curve "));
    } finally {
      server.destroy();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static boolean isListening(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("localhost", port), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
