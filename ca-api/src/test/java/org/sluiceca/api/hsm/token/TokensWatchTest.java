package org.sluiceca.api.hsm.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.route.TokenSettings;

/** Looks by hand at a file that changes. */
class TokensWatchTest {

  private static final String A = token("a");
  private static final String B = token("b");

  @TempDir private Path folder;

  private final List<List<String>> applied = new ArrayList<>();
  private final List<Boolean> reported = new ArrayList<>();

  // Set before each test.
  @SuppressWarnings("NullAway.Init")
  private Path file;

  @SuppressWarnings("NullAway.Init")
  private TokensWatch watch;

  @BeforeEach
  void start() throws IOException {
    file = Files.writeString(folder.resolve("tokens.yaml"), A);
    TokensFile tokens =
        new TokensFile(file, new TokenDefaults(8, 1024, Duration.ofSeconds(5), false), 512);
    watch =
        new TokensWatch(
            tokens,
            tokens.bytes(),
            list -> applied.add(list.stream().map(TokenSettings::name).toList()),
            reported::add);
  }

  @Test
  void look_nothingChanged_nothingHappens() throws IOException {
    watch.look();
    var _ = Files.writeString(file, A);
    watch.look();

    assertThat(applied).isEmpty();
    assertThat(reported).isEmpty();
  }

  @Test
  void look_changed_appliedOnce() throws IOException {
    var _ = Files.writeString(file, A + B);
    watch.look();
    watch.look();

    assertThat(applied).containsExactly(List.of("a", "b"));
    assertThat(reported).containsExactly(true);
  }

  @Test
  void look_bad_toldOnceAndNothingApplied_thenMended() throws IOException {
    var _ = Files.writeString(file, A + "- {name: b}\n");
    watch.look();
    watch.look();
    assertThat(applied).isEmpty();
    assertThat(reported).containsExactly(false);

    var _ = Files.writeString(file, B);
    watch.look();
    assertThat(applied).containsExactly(List.of("b"));
    assertThat(reported).containsExactly(false, true);
  }

  @Test
  void look_gone_toldOnceAndNothingApplied_backUnchangedIsNoChange() throws IOException {
    Files.delete(file);
    watch.look();
    watch.look();
    assertThat(reported).containsExactly(false);

    var _ = Files.writeString(file, A);
    watch.look();
    assertThat(applied).isEmpty();
    assertThat(reported).containsExactly(false);
  }

  private static String token(String name) {
    return "- {name: %s, module: /m.so, token-label: %s, pin-file: /p}\n".formatted(name, name);
  }
}
