package org.sluiceca.api.console.work.find;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;

/** What the fields of the search page ask for. */
class FindFormTest {

  private static final LocalDate TODAY = LocalDate.parse("2026-11-29");

  private static FindForm form(Map<String, List<String>> query) {
    return FindForm.of(query, TODAY);
  }

  @Test
  void parameters_presetOfAWeek_validFromTodayToTheLastDay() {
    FindForm form = form(Map.of("within", List.of("7")));

    assertThat(form.parameters(200))
        .containsOnly(
            Map.entry("status", List.of("valid")),
            Map.entry("expiresAfter", List.of("2026-11-28T23:59:59Z")),
            Map.entry("expiresBefore", List.of("2026-12-07T00:00:00Z")),
            Map.entry("limit", List.of("200")));
    // Another page, or the download, must not begin at another day.
    assertThat(form.query("cursor", "a b"))
        .isEqualTo("?status=valid&expiresFrom=2026-11-29&expiresTo=2026-12-06&cursor=a+b");
  }

  @Test
  void parameters_emptyFields_leftOut() {
    FindForm form =
        form(
            Map.of(
                "name", List.of(" *.example.com "),
                "requester", List.of(""),
                "expiresTo", List.of("")));

    assertThat(form.parameters(50))
        .containsOnly(
            Map.entry("san", List.of("*.example.com")), Map.entry("limit", List.of("50")));
    assertThat(form.query()).isEqualTo("?name=*.example.com");
  }

  @Test
  void of_whatIsNoField_refused() {
    for (Map<String, List<String>> query :
        List.of(
            Map.of("san", List.of("a")),
            Map.of("name", List.of("a", "b")),
            Map.of("within", List.of("367")),
            Map.of("within", List.of("-1")),
            Map.of("expiresFrom", List.of("2026-02-30")),
            Map.of("expiresTo", List.of("+999999999-12-31")),
            Map.of("expiresTo", List.of("9999-12-31")))) {
      assertThat(catchThrowableOfType(ProblemException.class, () -> form(query)).type())
          .as(query.toString())
          .isEqualTo(ProblemType.MALFORMED_REQUEST);
    }
  }
}
