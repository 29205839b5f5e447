package org.sluiceca.client.operate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.sluiceca.client.OneNodeTest;

class ProfileDiffTest extends OneNodeTest {
  @Test
  void diff_twoVersions_linesWithoutWhatATerminalObeys() {
    server.answers("200 - name: web\ndays: 90\n");
    server.answers("200 - name: web\ndays: 47 \u001b[2J\n");

    assertThat(run.call("profile", "diff", "web", "3", "4")).isZero();

    assertThat(server.seen())
        .containsExactly(
            "GET /v1/profiles/web/versions/3 Bearer admin null",
            "GET /v1/profiles/web/versions/4 Bearer admin null");
    assertThat(run.out())
        .isEqualTo(
            "--- web 3\n+++ web 4\n@@ -1,2 +1,2 @@\n name: web\n-days: 90\n+days: 47 ?[2J\n");
  }

  @Test
  void diff_same_saysSo() {
    server.answers("200 - name: web\n");
    server.answers("200 - name: web\n");
    server.answers("200 - name: web\n");
    server.answers("200 - name: web");

    assertThat(run.call("profile", "diff", "web", "3", "4")).isZero();
    assertThat(run.call("profile", "diff", "web", "3", "4")).isZero();

    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("are the same", "the line feed at their end alone");
  }

  @Test
  void diff_tooLong_isRefused() {
    server.answers("200 - " + "a\n".repeat(40_000));

    assertThat(run.call("profile", "diff", "web", "3", "4")).isEqualTo(1);

    assertThat(run.err()).contains("version 3 is longer than a profile can be");
  }
}
