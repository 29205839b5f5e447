package org.sluiceca.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandsTest {

  static Map<String, CommandLine> commands() {
    return new TreeMap<>(Main.commands().getSubcommands());
  }

  static Iterable<String> names() {
    return commands().keySet();
  }

  @ParameterizedTest
  @MethodSource("names")
  void asked_eachByItsName_itIsThere(String name) {
    CommandLine command = Objects.requireNonNull(commands().get(name));
    Class<?> type = command.getCommandSpec().userObject().getClass();

    assertThat(Commands.asked(name, "--help")).contains(type).hasSizeBetween(1, commands().size());
  }

  @Test
  void asked_oneThatNeedsNoOther_itAlone() {
    assertThat(Commands.asked("get", "2a")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"completion", "man", "schema", "--help", "gett", "", "-q"})
  void asked_whatLooksAtAll_all(String first) {
    assertThat(Commands.asked(first)).hasSameSizeAs(commands().keySet());
  }

  @Test
  void asked_theVersionAlone_none() {
    assertThat(Commands.asked("--version")).isEmpty();
    assertThat(Commands.asked("--version", "get")).isNotEmpty();
  }

  @Test
  void asked_nothing_all() {
    assertThat(Commands.asked()).hasSameSizeAs(commands().keySet());
  }
}
