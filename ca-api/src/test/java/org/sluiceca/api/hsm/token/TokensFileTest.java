package org.sluiceca.api.hsm.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.hsm.route.TokenPolicy;
import org.sluiceca.hsm.route.TokenSettings;
import org.sluiceca.hsm.settings.HsmSettings;

class TokensFileTest {

  private static final TokenDefaults DEFAULTS =
      new TokenDefaults(8, 1024, Duration.ofSeconds(5), false);
  private static final TokensFile FILE = new TokensFile(Path.of("tokens.yaml"), DEFAULTS, 512);

  private static final String SHORT =
      "- {name: a, module: /lib/a.so, token-label: issuing, pin-file: /etc/a.pin}\n";

  @Test
  void parse_everythingSaid_asSaid() {
    List<TokenSettings> tokens =
        parse(
            SHORT
                + """
                - name: b
                  module: /lib/b.so
                  token-label: issuing
                  pin-file: /etc/b.pin
                  sessions: 16
                  queue-capacity: 600
                  call-timeout: 2s
                  isolated: true
                  vendor: nethsm
                  preference: backup
                  region: eu-west
                """);

    assertThat(tokens).hasSize(2);
    TokenSettings b = tokens.getLast();
    assertThat(b.name()).isEqualTo("b");
    assertThat(b.policy()).isEqualTo(new TokenPolicy(TokenPolicy.Preference.BACKUP, "eu-west"));
    HsmSettings hsm = b.hsm();
    assertThat(hsm.sessions()).isEqualTo(16);
    assertThat(hsm.queueCapacity()).isEqualTo(600);
    assertThat(hsm.callTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(hsm.isolated()).isTrue();
    assertThat(hsm.vendor().name()).isEqualTo("nethsm");
  }

  @Test
  void parse_littleSaid_theRestByDefault() {
    TokenSettings a = parse(SHORT).getFirst();

    assertThat(a.policy()).isEqualTo(TokenPolicy.DEFAULT);
    assertThat(a.hsm().sessions()).isEqualTo(8);
    assertThat(a.hsm().queueCapacity()).isEqualTo(1024);
    assertThat(a.hsm().isolated()).isFalse();
    assertThat(a.hsm().vendor().name()).isEqualTo("default");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | tokens.yaml lists 0 tokens, allowed 1 to 8",
        "'' | tokens.yaml lists 0 tokens, allowed 1 to 8",
        "- {module: /a, token-label: l, pin-file: /p} | tokens.yaml, token 1: name is missing",
        "- {name: a, token-label: l, pin-file: /p} | tokens.yaml, token 1: module is missing",
        "- {name: A, module: /a, token-label: l, pin-file: /p} | tokens.yaml, token 1: a token's name has 1 to 32 of a-z 0-9 . _ - and not 'A'",
        "- {name: a, module: /a, token-label: l, pin-file: /p, vendor: acme} | tokens.yaml, token 1: no vendor 'acme'",
        "- {name: a, module: /a, token-label: l, pin-file: /p, preference: maybe} | tokens.yaml, token 1: preference 'maybe' is not preferred or backup",
        "- {name: a, module: /a, token-label: l, pin-file: /p, call-timeout: soon} | tokens.yaml, token 1: call-timeout 'soon' is no time such as 5s",
        "- {name: a, module: /a, token-label: l, pin-file: /p, sessions: 0} | tokens.yaml, token 1: sessions must be 1 to 256, not 0",
        "- {name: a, module: /a, token-label: l, pin-file: /p, queue-capacity: 511} | tokens.yaml, token 1: queue-capacity 511 is below sluice.line.places 512",
        "- {name: a, module: /a, token-label: l, pin-file: /p, region: Über} | tokens.yaml, token 1: a region has at most 32",
        "- {name: a, module: /a, token-label: l, pin-file: /p, pin: 1234} | tokens.yaml: Unrecognized property \"pin\"",
        "- nonsense | tokens.yaml: Cannot construct instance",
        "name: a | tokens.yaml: Cannot deserialize"
      })
  void parse_mistake_oneLineThatNamesIt(String yaml, String message) {
    assertThatThrownBy(() -> parse(yaml))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("\n");
  }

  @Test
  void parse_sameNameOrSameTokenTwice_refused() {
    assertThatThrownBy(() -> parse(SHORT + SHORT.replace("issuing", "other")))
        .hasMessage("tokens.yaml, token 2: the name a is there before");
    assertThatThrownBy(() -> parse(SHORT + SHORT.replace("name: a", "name: b")))
        .hasMessage("tokens.yaml, token 2: the token issuing is there before");
  }

  @Test
  void bytes_noSuchFile_saidSo() {
    assertThatThrownBy(() -> new TokensFile(Path.of("/no/such"), DEFAULTS, 1).bytes())
        .hasMessage("cannot read /no/such (NoSuchFileException)");
  }

  private static List<TokenSettings> parse(String yaml) {
    return FILE.parse(yaml.getBytes(StandardCharsets.UTF_8));
  }
}
