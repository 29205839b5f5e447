package org.sluiceca.api.issuance.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.core.csr.KeyBlocklist;

class LineConfigurationTest {

  @TempDir private Path folder;

  @Test
  void keyBlocklist_noFileNamed_emptyList() {
    assertThat(LineConfiguration.keyBlocklist("")).isSameAs(KeyBlocklist.EMPTY);
  }

  @Test
  void keyBlocklist_hashesAndComments_counted() throws IOException {
    assertThat(LineConfiguration.keyBlocklist(file("# mine\n" + "ab".repeat(32) + "\n")).size())
        .isEqualTo(1);
  }

  @Test
  void keyBlocklist_missingOrMalformedOrNotAscii_refusedByName() throws IOException {
    String missing = folder.resolve("none").toString();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> LineConfiguration.keyBlocklist(missing))
        .withMessageContaining(missing);
    for (String text : new String[] {"abc", "# Schl\u00fcssel"}) {
      String file = file(text);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> LineConfiguration.keyBlocklist(file))
          .withMessageContaining(file);
    }
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("list"), text, StandardCharsets.UTF_8).toString();
  }
}
