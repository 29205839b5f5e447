package org.sluiceca.api.http.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.http.edge.StrictJson;
import tools.jackson.databind.json.JsonMapper;

final class JsonFaultTest {

  /** What only a programmer of this service would understand. */
  private static final Pattern INTERNAL = Pattern.compile("org\\.|tools\\.|Exception|\\w+\\[\\w+=");

  enum Kind {
    SMALL,
    LARGE
  }

  record Inner(int count) {}

  record Body(
      @Nullable String profile,
      @Nullable Kind kind,
      @Nullable List<String> names,
      @Nullable Inner inner) {}

  private static String fault(String json) {
    JsonMapper.Builder builder = JsonMapper.builder();
    new StrictJson().strictReading().customize(builder);
    JsonMapper mapper = builder.build();
    Throwable failure = catchThrowable(() -> mapper.readValue(json, Body.class));
    String text = JsonFault.of(new IllegalStateException("as Spring wraps it", failure));
    assertThat(text).doesNotContainPattern(INTERNAL).hasSizeLessThan(300);
    return text;
  }

  @Test
  void of_misspeltMember_namesItTheNearestAndAll() {
    assertThat(fault("{\"profil\":\"tls-server\"}"))
        .isEqualTo(
            "no member is named profil: did you mean profile? allowed: inner, kind, names,"
                + " profile");
    assertThat(fault("{\"" + "x".repeat(5_000) + "\":1}")).contains("xxx...: allowed: ");
  }

  @Test
  void of_anotherType_namesMemberAndType() {
    assertThat(fault("{\"profile\":5}")).isEqualTo("the member profile must be a string");
    assertThat(fault("{\"names\":\"a\"}")).isEqualTo("the member names must be an array");
    assertThat(fault("{\"inner\":{\"count\":\"a\"}}"))
        .isEqualTo("the member inner.count must be a number");
    assertThat(fault("[]")).isEqualTo("the document must be an object");
  }

  @Test
  void of_unknownConstant_namesTheNearest() {
    assertThat(fault("{\"kind\":\"SMAL\"}"))
        .isEqualTo("the member kind is not allowed: did you mean SMALL? allowed: SMALL, LARGE");
  }

  @Test
  void of_brokenJson_namesThePlace() {
    assertThat(fault("{\"profile\":\n \"a\",,}"))
        .isEqualTo("it is not well-formed JSON, line 2, column 6");
    assertThat(fault("{\"profile\":\"a\",\"profile\":\"b\"}"))
        .startsWith("it is not well-formed JSON");
  }

  @Test
  void of_noJsonFault_saysSo() {
    assertThat(JsonFault.of(new IllegalStateException("x")))
        .isEqualTo("the request body cannot be read as its type");
  }
}
