package org.sluiceca.api.hsm.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.auth.oidc.OidcSettings;
import org.sluiceca.api.certificate.find.FindSettings;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.console.ConsoleSettings;
import org.sluiceca.api.hsm.lease.WindowSettings;
import org.sluiceca.api.http.HttpSettings;
import org.sluiceca.api.http.access.AccessLogSettings;
import org.sluiceca.api.issuance.backlog.OrdersSettings;
import org.sluiceca.api.observe.trace.TraceSettings;
import org.sluiceca.api.ocsp.OcspSettings;
import org.sluiceca.api.revocation.crl.CrlSettings;
import org.sluiceca.core.ocsp.StatusRule;
import org.sluiceca.hsm.route.TokenPolicy;
import org.sluiceca.hsm.route.TokenSettings;

class HsmConfigurationTest {

  private static final Path MODULE = Path.of("/lib/a.so");
  private static final Path PIN = Path.of("/etc/a.pin");

  @TempDir private Path folder;

  @Test
  void configured_singleToken_isCalledHsm0() {
    HsmConfiguration.Configured configured = configured(hsm(MODULE, "nethsm", null), 512);

    assertThat(configured.watched()).isNull();
    assertThat(configured.labels()).containsExactly("issuing");
    TokenSettings only = configured.tokens().getFirst();
    assertThat(only.name()).isEqualTo("hsm-0");
    assertThat(only.policy()).isEqualTo(TokenPolicy.DEFAULT);
    assertThat(only.hsm().vendor().name()).isEqualTo("nethsm");
  }

  @Test
  void configured_file_itsTokens() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("tokens.yaml"),
            "- {name: x, module: /lib/x.so, token-label: far, pin-file: /etc/x.pin}\n");

    HsmConfiguration.Configured configured = configured(hsm(null, "", file), 512);

    assertThat(configured.tokens()).extracting(TokenSettings::name).containsExactly("x");
    assertThat(configured.watched()).isNotNull();
  }

  @Test
  void configured_both_refused() {
    Path file = folder.resolve("tokens.yaml");

    assertThatThrownBy(() -> configured(hsm(MODULE, "", file), 512))
        .hasMessageContaining("are both given: name the tokens in one place");
    assertThatThrownBy(() -> configured(hsm(null, "luna", file), 512))
        .hasMessageContaining("are both given");
  }

  @Test
  void configured_neither_saysWhatIsMissing() {
    assertThatThrownBy(() -> configured(hsm(null, "", null), 512))
        .hasMessage("sluice.hsm: module is missing");
  }

  @Test
  void configured_placesBeyondTheQueue_refused() {
    assertThatThrownBy(() -> configured(hsm(MODULE, "", null), 1025))
        .hasMessageStartingWith("sluice.line.places 1025 exceeds sluice.hsm.queue-capacity 1024");
  }

  private static CaProperties.Hsm hsm(@Nullable Path module, String vendor, @Nullable Path file) {
    return new CaProperties.Hsm(
        module,
        module == null ? null : "issuing",
        module == null ? null : PIN,
        vendor,
        file,
        "",
        8,
        WindowSettings.Kind.FIXED,
        64,
        4,
        1024,
        Duration.ofSeconds(5),
        false);
  }

  private static HsmConfiguration.Configured configured(CaProperties.Hsm hsm, int places) {
    return new HsmConfiguration()
        .configuredTokens(
            new CaProperties(
                "node-0",
                Path.of("state"),
                "http://localhost:8080",
                "",
                8080,
                false,
                "classpath:",
                true,
                "",
                Duration.ofMinutes(5),
                null,
                null,
                new CaProperties.Database(
                    "jdbc:postgresql://x/y", "sluice", Path.of("p"), null, null),
                hsm,
                new CaProperties.Line(
                    places, Duration.ofHours(24), 0, Duration.ofSeconds(60), Duration.ZERO),
                new OrdersSettings(1_000, 10_000),
                new CrlSettings(
                    Duration.ofHours(1),
                    Duration.ofHours(24),
                    1,
                    new CrlSettings.Delta(null, Duration.ofHours(2)),
                    null),
                new OcspSettings(
                    true, Duration.ofHours(1), false, StatusRule.NeverIssued.UNKNOWN, 1_000, 0, 32),
                new CaProperties.Audit(Duration.ofSeconds(60), null),
                new CaProperties.Approval(Set.of()),
                new FindSettings(null),
                new TraceSettings("", 0.1),
                HttpSettings.defaults(),
                new AccessLogSettings(AccessLogSettings.Lines.ALL, 1_000, false),
                ConsoleSettings.defaults(),
                new OidcSettings(List.of())));
  }
}
