package org.sluiceca.load.bench.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class UsageTest {

  private static final Path NO_DATABASE = Path.of("no", "postmaster.pid");

  @Test
  void ticks_nameWithBlanksAndBrackets_fieldsAfterIt() {
    String stat = "42 (a (b) c) S 1 42 42 0 -1 4194560 1 0 0 0 700 80 9 4 20 0 1 0 5";

    assertThat(Usage.ticks(stat, 11)).isEqualTo(780);
    assertThat(Usage.ticks(stat, 13)).isEqualTo(13);
    assertThat(Usage.ticks("", 11)).isZero();
  }

  @Test
  void read_thisProcess_hasMemoryAndCompilers() {
    Usage own = Usage.read(ProcessHandle.current().pid(), NO_DATABASE);

    assertThat(own.residentKib()).isPositive();
    assertThat(own.residentMostKib()).isGreaterThanOrEqualTo(own.residentKib());
    assertThat(own.jit()).isNotNegative();
    assertThat(own.ca()).isGreaterThanOrEqualTo(own.jit());
  }

  @Test
  void since_processWithoutCompilers_unknownAndNotZero() {
    Usage none = Usage.read(Integer.MAX_VALUE, NO_DATABASE);

    assertThat(none.since(none)).contains("jitMicros=unknown").contains("caMicros=0");
  }
}
