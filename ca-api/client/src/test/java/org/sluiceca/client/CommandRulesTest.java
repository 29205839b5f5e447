package org.sluiceca.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Each command keeps the rules, and each rule finds the fault that it is for. */
class CommandRulesTest {

  @Test
  void eachCommand_keepsTheRules() {
    assertThat(CommandRules.faults(Main.commands())).isEmpty();
  }

  @Test
  void faults_plantedNowhere_none() {
    assertThat(faultsOf(good(), option("--size", "N", "how many"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "  sluice group one --siez 3 | has an example that does not parse",
        "  sluice group one --size | has an example that does not parse",
        "  sluice group one --size 'three | a quote that is not closed",
        "  sluice gruop one | has an example that does not parse",
        "  sluice group | has an example of another command",
        "sluice group one --size 3 | has no example",
      },
      ignoreLeadingAndTrailingWhitespace = false)
  void faults_plantedInANestedExample_found(String example, String fault) {
    CommandSpec spec = good();
    spec.usageMessage().footer("", "Example:", example.stripTrailing());

    assertThat(faultsOf(spec, option("--size", "N", "how many")))
        .singleElement()
        .asString()
        .startsWith("sluice group one ")
        .contains(fault.strip());
  }

  /** At 80 columns picocli goes on in the next line: that is two commands for a shell. */
  @Test
  void faults_plantedAsAnExampleThatIsTooWide_found() {
    String example = "  sluice group one --size " + "3".repeat(60);
    CommandSpec wide = good();
    wide.usageMessage().footer("", "Example:", example);

    assertThat(faultsOf(wide, option("--size", "N", "how many")))
        .containsExactly(
            "sluice group one has an example that its help breaks: " + example.strip());
  }

  @Test
  void faults_plantedInDescriptions_found() {
    CommandSpec silent = good();
    silent.usageMessage().description(" ");
    silent.addPositional(PositionalParamSpec.builder().paramLabel("ID").arity("0..1").build());

    assertThat(faultsOf(silent, option("--size", "N", "")))
        .containsExactlyInAnyOrder(
            "sluice group one has no description",
            "sluice group one --size has no description",
            "sluice group one ID has no description");
  }

  @Test
  void faults_plantedInTheLengthOfTheHelp_found() {
    CommandSpec wordy = good();
    wordy.usageMessage().description("Does much.", "a line%n".repeat(60));

    assertThat(faultsOf(wordy, option("--size", "N", "how many")))
        .singleElement()
        .asString()
        .contains("lines, more than 60");
  }

  @Test
  void faults_plantedAsAnOptionOfTwoMeanings_found() {
    assertThat(faultsOf(good(), option("--size", "OCTETS", "how long")))
        .singleElement()
        .asString()
        .contains("--size has several meanings");
    assertThat(faultsOf(good(), OptionSpec.builder("--size").description("long").build()))
        .asString()
        .contains("--size has several meanings");
  }

  @Test
  void faults_plantedAsJsonWithoutSchema_found() {
    CommandSpec spec = good();
    spec.addOption(OptionSpec.builder("--json").description("for programs").build());

    assertThat(faultsOf(spec, option("--size", "N", "how many")))
        .containsExactly(
            "sluice group one --json says neither JSON document nor JSON lines",
            "sluice group one has --json, but no schema in src/main/resources/schemas");
  }

  @Test
  void words_asAShellSplitsThem() {
    assertThat(CommandRules.words("sluice find  --san '*.a b' \"it's\" > x"))
        .isEqualTo(List.of("sluice", "find", "--san", "*.a b", "it's"));
  }

  private static CommandSpec good() {
    CommandSpec spec = CommandSpec.forAnnotatedObject(new Good());
    return spec.addOption(OptionSpec.builder("--keep").description("keep it").build());
  }

  /** The faults of a program that has {@code tested} as `group one`, with one option more. */
  private static List<String> faultsOf(CommandSpec tested, OptionSpec option) {
    tested.addOption(option);
    CommandSpec root = described("sluice", "  sluice other --size 3");
    CommandSpec group = described("group", "  sluice group one");
    CommandSpec other = described("other", "  sluice other --size 3 | less");
    other.addOption(option("--size", "N", "how many"));
    group.addSubcommand("one", tested);
    root.addSubcommand("group", group).addSubcommand("other", other);
    return CommandRules.faults(
        new CommandLine(root).setUnmatchedOptionsAllowedAsOptionParameters(false));
  }

  private static CommandSpec described(String name, String example) {
    CommandSpec spec = CommandSpec.create().name(name);
    spec.usageMessage().description("Does it.").footer("Example:", example);
    return spec;
  }

  private static OptionSpec option(String name, String label, String description) {
    return OptionSpec.builder(name)
        .paramLabel(label)
        .type(String.class)
        .description(description)
        .build();
  }

  @Command(
      name = "one",
      description = "Does one thing.",
      footer = {"", "Example:", "  sluice group one \\", "    --keep"})
  static final class Good implements Runnable {
    @Override
    public void run() {}
  }
}
