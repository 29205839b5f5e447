package org.sluiceca.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.proxy.Proxies;

class NodesTest {
  private static final URI A = URI.create("https://a");
  private static final URI B = URI.create("https://b");

  private final StringWriter err = new StringWriter();
  private final Nodes nodes =
      new Nodes(
          new Connection(
              List.of(A, B), new Credential.Token("t"), Optional.empty(), Proxies.ofJava()),
          new Console(new PrintWriter(err), new PrintWriter(err)));

  @Test
  void next_afterTheLast_theFirst() {
    assertThat(nodes.current()).isEqualTo(A);
    nodes.next();
    assertThat(nodes.current()).isEqualTo(B);
    nodes.next();
    assertThat(nodes.current()).isEqualTo(A);
  }

  @Test
  void goesOnAfter_allRefuseAndNoneHasAnswered_fails() {
    assertThat(nodes.goesOnAfter(1, true)).isTrue();
    assertThat(err.toString()).contains("nothing answers at https://a: trying https://b");
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> nodes.goesOnAfter(2, true))
        .withMessage("nothing answers at https://a https://b: is it up?");
  }

  @Test
  void goesOnAfter_allRefuseThatHaveAnswered_theyMayComeBack() {
    nodes.answered();

    assertThat(nodes.goesOnAfter(1, true)).isTrue();
    assertThat(nodes.goesOnAfter(2, true)).isFalse();
  }

  @Test
  void goesOnAfter_oneIsOnlyLate_itMayComeBack() {
    assertThat(nodes.goesOnAfter(1, false)).isTrue();
    assertThat(nodes.goesOnAfter(2, true)).isFalse();
  }
}
