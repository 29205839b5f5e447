package org.sluiceca.api.auth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only what can be a token of this CA is taken from a header, and then hashed. */
class TokensTest {

  private static final String TOKEN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN-_0";

  @ParameterizedTest
  @ValueSource(strings = {"Bearer ", "bearer ", "BEARER ", "Bearer        "})
  void bearer_schemeInAnyCaseAnd1To8Spaces_token(String before) {
    assertThat(Tokens.bearer(before + TOKEN)).contains(TOKEN);
  }

  @Test
  void bearer_ownToken_token() {
    String token = Tokens.next();

    assertThat(Tokens.bearer("Bearer " + token)).contains(token);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer ",
        "Bearer" + TOKEN,
        "Bearer\t" + TOKEN,
        "Bearer         " + TOKEN,
        " Bearer " + TOKEN,
        "Basic  " + TOKEN,
        "B\u00e9arer " + TOKEN,
        "Bearer " + TOKEN + "a",
        "Bearer  " + TOKEN + " ",
        "Bearer a " + "bcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN-_01",
        TOKEN
      })
  void bearer_otherSchemeSpacesOrLength_empty(String header) {
    assertThat(Tokens.bearer(header)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(chars = {'+', '/', '=', '.', ' ', '@', '[', '`', '{', ':', '\u00e9'})
  void bearer_characterOutsideOfBase64url_empty(char character) {
    assertThat(Tokens.bearer("Bearer " + TOKEN.substring(1) + character)).isEmpty();
    assertThat(Tokens.bearer("Bearer " + character + TOKEN.substring(1))).isEmpty();
  }

  /** By their form no token of ours is a JWT, and no JWT one of ours. */
  @Test
  void jwt_threePartsOfBase64url_token() {
    String jwt = "eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl";

    assertThat(Tokens.jwt("Bearer " + jwt)).contains(jwt);
    assertThat(Tokens.jwt("bearer " + jwt)).contains(jwt);
    assertThat(Tokens.bearer("Bearer " + jwt)).isEmpty();
    assertThat(Tokens.jwt("Bearer " + TOKEN)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer ",
        "Bearera.b.c",
        "Bearer\ta.b.c",
        "Bearer  a.b.c",
        "Basic a.b.c",
        "Bearer a.b",
        "Bearer a.b.c.d.e",
        "Bearer a.b.c ",
        "Bearer a.b.c=",
        "Bearer a.b.c,Bearer a.b.c",
        "Bearer a.b.\u00e9"
      })
  void jwt_otherSchemeOrForm_empty(String header) {
    assertThat(Tokens.jwt(header)).isEmpty();
  }
}
