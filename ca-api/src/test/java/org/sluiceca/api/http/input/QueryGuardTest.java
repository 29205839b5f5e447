package org.sluiceca.api.http.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.servlet.HandlerMapping;

class QueryGuardTest {

  private static final Map<QueryGuard.Route, SortedSet<String>> DECLARED =
      InputConfiguration.declared();

  private final QueryGuard guard = new QueryGuard(DECLARED);

  @ParameterizedTest
  @ValueSource(strings = {"profile=tls-server", "profile=", "profile", "", "&", "%70rofile=a"})
  void preHandle_declared_taken(String query) {
    assertThat(ask("POST", "/v1/certificates", query)).isTrue();
  }

  /** The document describes it once, for all of them. */
  @ParameterizedTest
  @ValueSource(strings = {"/v1/credentials", "/v1/acme-bindings", "/v1/requests"})
  void preHandle_parameterThatOperationsShare_taken(String path) {
    assertThat(ask("GET", path, "cursor=a")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "profile=tls-server&days=30, days",
    "validity=P1D, validity",
    "Profile=tls-server, Profile",
    "profile=a&%64ays=30, days",
    "profile[]=a, profile[]"
  })
  void preHandle_unknown_refusedByNameWithThoseThatThereAre(String query, String name) {
    assertRefused("POST", "/v1/certificates", query, name, "profile");
  }

  @Test
  void preHandle_twice_refusedByName() {
    assertRefused(
        "POST", "/v1/certificates", "profile=a&profile=a", "profile", "given more than once");
    assertRefused(
        "POST", "/v1/certificates", "profile=a&%70rofile=b", "profile", "given more than once");
    assertRefused("GET", "/v1/certificates", "san=a&san=b", "san", "given more than once");
  }

  /** Every route of the document that takes none refuses any, whatever its method. */
  @Test
  void preHandle_everyRouteWithoutParameters_refused() {
    assertThat(DECLARED).hasSizeGreaterThan(40);
    DECLARED.forEach(
        (route, names) ->
            assertThatThrownBy(() -> ask(route.method(), route.pattern(), "nonsense=1"))
                .as(route.toString())
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("nonsense"));
  }

  @Test
  void preHandle_head_asGet() {
    assertThat(ask("HEAD", "/v1/issuers", "state=all")).isTrue();
    assertRefused("HEAD", "/v1/issuers", "status=all", "status", "state");
  }

  @Test
  void preHandle_longOrUnprintableName_cut() {
    String query = "%0d%0a%3Cx%3E" + "n".repeat(5_000) + "=1";

    assertThatThrownBy(() -> ask("GET", "/v1/issuers", query))
        .hasMessageContaining("??<x>nnn")
        .satisfies(e -> assertThat(String.valueOf(e.getMessage())).hasSizeLessThan(150));
    assertRefused("GET", "/v1/issuers", "%zz=1", "percent", "encoding");
  }

  private void assertRefused(
      String method, String pattern, String query, String first, String second) {
    assertThatThrownBy(() -> ask(method, pattern, query))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.type()).isEqualTo(ProblemType.MALFORMED_REQUEST))
        .hasMessageContaining(first)
        .hasMessageContaining(second);
  }

  private boolean ask(String method, String pattern, String query) {
    MockHttpServletRequest request =
        new MockHttpServletRequest(method.toUpperCase(Locale.ROOT), pattern);
    request.setQueryString(query);
    request.setAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, pattern);
    return guard.preHandle(request, new MockHttpServletResponse(), new Object());
  }
}
