package org.sluiceca.core.wire.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonObjectTest {

  @Test
  void read_allTypes_byName() throws Exception {
    JsonObject json =
        read(
            "{\"t\":\"\\u00fc\",\"b\":true,\"n\":-3,\"o\":{\"x\":\"y\"},\"a\":[\"p\",\"q\"],"
                + "\"l\":[{\"v\":\"1\"},{\"v\":\"2\"}],\"z\":null}");

    assertThat(json.text("t")).isEqualTo("ü");
    assertThat(json.optionalBoolean("b")).contains(true);
    assertThat(json.optionalInteger("n")).contains(-3L);
    assertThat(json.object("o").text("x")).isEqualTo("y");
    assertThat(json.texts("a", 2)).containsExactly("p", "q");
    assertThat(json.objects("l", 2).get(1).text("v")).isEqualTo("2");
    assertThat(json.optionalText("z")).isEmpty();
    assertThat(json.optionalObject("absent")).isEmpty();
    assertThat(json.names()).containsExactlyInAnyOrder("t", "b", "n", "o", "a", "l", "z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "[]",
        "null",
        "\"a\"",
        "{",
        "{}{}",
        "{} x",
        "{\"a\":1,}",
        "{'a':1}",
        "{a:1}",
        "{\"a\":1 /* c */}",
        "{\"a\":1,\"a\":2}",
        "{\"o\":{\"a\":1,\"\\u0061\":2}}",
        "{\"a\":1.5}",
        "{\"a\":1e3}",
        "{\"a\":NaN}",
        "{\"a\":01}",
        "{\"a\":9223372036854775808}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\t\"}",
        "\uFEFF{}",
      })
  void read_notStrict_isRefused(String text) {
    assertThatExceptionOfType(JsonException.class).isThrownBy(() -> read(text));
  }

  @Test
  void read_notUtf8_isRefused() {
    // An overlong slash, and half of a pair in octets.
    for (String hex : new String[] {"C0AF", "EDA080", "FF"}) {
      byte[] octets = "{\"a\":\"  \"}".getBytes(StandardCharsets.ISO_8859_1);
      byte[] bad = java.util.HexFormat.of().parseHex(hex);
      byte[] whole = new byte[octets.length + bad.length];
      System.arraycopy(octets, 0, whole, 0, 7);
      System.arraycopy(bad, 0, whole, 7, bad.length);
      System.arraycopy(octets, 7, whole, 7 + bad.length, octets.length - 7);
      assertThatExceptionOfType(JsonException.class)
          .isThrownBy(() -> JsonObject.read(whole, 100))
          .withMessage("not UTF-8");
    }
  }

  @Test
  void read_tooDeepOrTooLong_isRefused() throws Exception {
    String deep = "{\"a\":" + "[".repeat(7) + "]".repeat(7) + "}";
    assertThat(read(deep).names()).containsExactly("a");
    assertThatExceptionOfType(JsonException.class)
        .isThrownBy(() -> read("{\"a\":" + "[".repeat(8) + "]".repeat(8) + "}"));
    assertThatExceptionOfType(JsonException.class)
        .isThrownBy(() -> read("{\"a\":" + "[".repeat(100_000)));
    assertThatExceptionOfType(JsonException.class)
        .isThrownBy(() -> JsonObject.read(new byte[101], 100))
        .withMessage("JSON of 101 octets, allowed 100");
  }

  @Test
  void member_ofAnotherType_isNamedByItsPathAlone() throws Exception {
    JsonObject json = read("{\"a\":{\"b\":[{\"c\":\"secret\"},5]},\"n\":7,\"l\":[1,2,3]}");

    assertThatExceptionOfType(JsonException.class)
        .isThrownBy(() -> json.object("a").objects("b", 5))
        .withMessage("a.b[1] must be an object");
    assertThatExceptionOfType(JsonException.class)
        .isThrownBy(() -> json.text("n"))
        .withMessage("n must be a text");
    assertThatExceptionOfType(JsonException.class)
        .isThrownBy(() -> json.text("m"))
        .withMessage("m is missing");
    assertThatExceptionOfType(JsonException.class)
        .isThrownBy(() -> json.texts("l", 3))
        .withMessage("l[0] must be a text");
    assertThatExceptionOfType(JsonException.class)
        .isThrownBy(() -> json.texts("l", 2))
        .withMessage("l has 3 elements, allowed 2");
    assertThatExceptionOfType(JsonException.class)
        .isThrownBy(() -> json.object("a").object("b"))
        .withMessage("a.b must be an object");
  }

  @Test
  void fault_ofMalformedText_saysNothingOfIt() {
    assertThatExceptionOfType(JsonException.class)
        .isThrownBy(() -> read("{\"password\":secret}"))
        .satisfies(e -> assertThat(e.fault()).doesNotContain("secret", "password"));
  }

  private static JsonObject read(String text) throws JsonException {
    return JsonObject.read(text.getBytes(StandardCharsets.UTF_8), 1 << 20);
  }
}
