package org.sluiceca.api.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.profile.ProfileVersion;

/** What counts as another version of a file, and what does not. */
class ContentDigestTest {

  @Test
  void digest_commentsLayoutVersionAndDescription_doNotCount() throws Exception {
    ProfileVersion original = version(yaml -> yaml);

    assertThat(original.digest().length()).isEqualTo(32);
    assertThat(version(yaml -> "# a remark\n" + yaml + "\n\n").digest())
        .isEqualTo(original.digest());
    assertThat(
            version(yaml -> yaml.replace("use: enrollment\n", "") + "use: enrollment\n").digest())
        .isEqualTo(original.digest());
    assertThat(version(yaml -> yaml.replaceFirst("description: .*", "description: x")).digest())
        .isEqualTo(original.digest());
    assertThat(version(yaml -> yaml + "version: 2\n").digest()).isEqualTo(original.digest());
  }

  @Test
  void digest_anyOtherValue_counts() throws Exception {
    ProfileVersion original = version(yaml -> yaml);

    for (String[] change :
        new String[][] {
          {"P90D", "P91D"},
          {"wildcards: true", "wildcards: false"},
          {"[dns, ip]", "[ip, dns]"},
          {"ca: false", "ca: false\n  policies: [{oid: 1.2.3}]"},
          {"countMax: 100", "countMax: 10"}
        }) {
      assertThat(version(yaml -> yaml.replace(change[0], change[1])).digest())
          .as(change[1])
          .isNotEqualTo(original.digest());
    }
  }

  @Test
  void version_stated_isTheFilesOwn() throws Exception {
    assertThat(version(yaml -> yaml).isStated()).isFalse();
    assertThat(version(yaml -> yaml).number()).isEqualTo(1);
    assertThat(version(yaml -> yaml + "version: 7\n").number()).isEqualTo(7);
    assertThat(version(yaml -> yaml + "version: 1\n").isStated()).isTrue();
  }

  private static ProfileVersion version(UnaryOperator<String> change) throws IOException {
    try (InputStream in =
        ContentDigestTest.class.getResourceAsStream("/profiles/tls-server.yaml")) {
      String yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return ProfileFiles.parse("x.yaml", change.apply(yaml).getBytes(StandardCharsets.UTF_8))
          .version();
    }
  }
}
