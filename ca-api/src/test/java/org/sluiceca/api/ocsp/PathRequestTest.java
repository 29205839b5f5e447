package org.sluiceca.api.ocsp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathRequestTest {

  @Test
  void decode_rawEscapedAndPartlyEscaped_theSame() {
    for (long seed = 1; seed <= 500; seed++) {
      byte[] der = new byte[90];
      new SplittableRandom(seed).nextBytes(der);
      der[0] = 0x30;
      String base64 = Base64.getEncoder().encodeToString(der);
      String escaped = URLEncoder.encode(base64, StandardCharsets.US_ASCII);

      assertThat(PathRequest.decode("/" + base64)).as("seed %d", seed).isEqualTo(der);
      assertThat(PathRequest.decode("/" + escaped)).as("seed %d", seed).isEqualTo(der);
      assertThat(PathRequest.decode("/" + base64.replace("=", "%3D"))).isEqualTo(der);
      assertThat(PathRequest.decode("/" + base64.replace("/", "%2f"))).isEqualTo(der);
      assertThat(PathRequest.decode("//" + base64)).isEqualTo(der);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/!!!!",
        "/%",
        "/%2",
        "/%zz",
        "/MA==/..",
        "/MAA=;x=y",
        "/%00",
        "/\u00e9\u00e9"
      })
  void decode_noBase64_nothing(String path) {
    assertThat(PathRequest.decode(path)).isEmpty();
  }
}
