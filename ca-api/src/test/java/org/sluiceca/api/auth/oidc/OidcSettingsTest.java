package org.sluiceca.api.auth.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** What an operator writes, and what stops the node. */
class OidcSettingsTest {

  private static final String FIRST = "sluice.oidc.providers[0].";

  private static Map<String, String> good(String prefix, String name) {
    Map<String, String> settings = new HashMap<>();
    settings.put(prefix + "name", name);
    settings.put(prefix + "issuer", "https://" + name + ".example.com");
    settings.put(prefix + "jwks-uri", "https://" + name + ".example.com/keys");
    settings.put(prefix + "audiences", "sluice");
    settings.put(prefix + "grants-of", "oidc-users");
    settings.put(prefix + "rules[0].claim", "realm_access,roles");
    settings.put(prefix + "rules[0].value", "pki");
    settings.put(prefix + "rules[0].roles", "REQUESTER,AUDITOR");
    settings.put(prefix + "rules[0].profiles", "tls-server");
    return settings;
  }

  private static OidcSettings bound(Map<String, String> settings) {
    return new Binder(new MapConfigurationPropertySource(settings))
        .bindOrCreate("sluice.oidc", OidcSettings.class);
  }

  @Test
  void nothing_noProvider() {
    assertThat(bound(Map.of()).providers()).isEmpty();
  }

  @Test
  void provider_withDefaults() {
    OidcProvider provider = bound(good(FIRST, "corp")).providers().getFirst();

    assertThat(provider.requesterPrefix()).isEqualTo("corp.");
    assertThat(provider.clockSkew()).hasSeconds(30);
    assertThat(provider.algorithms())
        .containsExactlyInAnyOrder(
            JwtAlgorithm.RS256, JwtAlgorithm.PS256, JwtAlgorithm.ES256, JwtAlgorithm.EDDSA);
    assertThat(provider.requesterClaim()).containsExactly("sub");
    assertThat(provider.rules().getFirst().claim()).isEqualTo(List.of("realm_access", "roles"));
  }

  @Test
  void settings_missingOrOutOfRange_refusedByName() {
    for (Map.Entry<String, String> bad :
        Map.of(
                "name", "Corp",
                "jwks-uri", "http://id.example.com/keys",
                "clock-skew", "61s",
                "requester-prefix", "sluice.x",
                "grants-of", "corp.admin",
                "issuer", "",
                "audiences", "")
            .entrySet()) {
      Map<String, String> settings = good(FIRST, "corp");
      settings.put(FIRST + bad.getKey(), bad.getValue());
      assertThatThrownBy(() -> bound(settings))
          .as(bad.getKey())
          .rootCause()
          .hasMessageContaining("sluice.oidc.providers: " + bad.getKey());
    }
    for (String algorithm : List.of("none", "HS256")) {
      Map<String, String> settings = good(FIRST, "corp");
      settings.put(FIRST + "algorithms", algorithm);
      assertThatThrownBy(() -> bound(settings)).isInstanceOf(RuntimeException.class);
    }
  }

  @Test
  void providers_whoseUsersCouldShareAName_refused() {
    Map<String, String> settings = good(FIRST, "corp");
    settings.putAll(good("sluice.oidc.providers[1].", "other"));
    assertThat(bound(settings).providers()).hasSize(2);

    for (String prefix : List.of("", "corp.", "corp.x.")) {
      settings.put("sluice.oidc.providers[1].requester-prefix", prefix);
      assertThatThrownBy(() -> bound(settings))
          .as(prefix)
          .rootCause()
          .hasMessageContaining("requester-prefix");
    }
  }
}
