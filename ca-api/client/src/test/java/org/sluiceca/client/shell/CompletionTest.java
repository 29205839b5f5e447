package org.sluiceca.client.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.client.Main;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

class CompletionTest {
  private static final String CALL =
      """
      cd "$1" && . ./sluice.bash || exit 1
      shift
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMP_TYPE=9
      compopt() { :; }
      _complete_sluice
      printf '%s ' "${COMPREPLY[@]}"
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sluice enr | enroll",
        "sluice profile act | activate",
        "sluice profile add --client-c | --client-cert",
        "sluice enroll --csr ww | www.csr",
        "sluice issuer install second ww | www.csr",
        "sluice find --status v | valid",
        "sluice completion fi | fish",
      })
  void completion_bash_completesCommandsOptionsWordsAndFiles(String line, String reply)
      throws Exception {
    Files.writeString(folder.resolve("sluice.bash"), printed("bash"));
    Files.writeString(folder.resolve("www.csr"), "");

    assertThat(bash("-n", folder.resolve("sluice.bash").toString())).isEmpty();
    String[] words =
        ("-c\0" + CALL + "\0bash\0" + folder + "\0" + line.replace(' ', '\0')).split("\0");
    assertThat(bash(words).strip()).isEqualTo(reply);
  }

  @Test
  void completion_zsh_loadsTheScriptOfBash() {
    assertThat(printed("zsh")).isEqualTo(printed("bash")).contains("bashcompinit");
  }

  @Test
  void completion_fish_hasALineForEachCommandAndOption() {
    assertThat(printed("fish").lines())
        .contains(
            "complete -c sluice -n '__sluice_command' -a 'revoke' -d 'Revoke a certificate.'",
            "complete -c sluice -n '__sluice_command profile' -a 'add' -d 'Store a version of a"
                + " profile; it is not used until it is activated.'",
            "complete -c sluice -n '__sluice_command enroll' -l csr -r -F -d 'a request, PEM or"
                + " DER'",
            "complete -c sluice -n '__sluice_command find' -l status -x -a 'valid revoked expired'"
                + " -d 'valid, revoked, expired'",
            "complete -c sluice -n '__sluice_command revoke' -s q -l quiet -d 'print results and"
                + " failures, no messages'",
            "complete -c sluice -n '__sluice_command profile add' -F",
            "complete -c sluice -n '__sluice_command completion' -a 'bash zsh fish'");
  }

  @Test
  void fish_quotesAndHiddenParts_areEscapedAndLeftOut() {
    CommandSpec root = CommandSpec.create().name("sluice");
    CommandSpec secret = CommandSpec.create();
    secret.usageMessage().hidden(true);
    root.addSubcommand("secret", secret);
    root.addOption(OptionSpec.builder("--a").description("it's 100%% \\ %n; $x").build());
    root.addOption(OptionSpec.builder("--b").hidden(true).build());
    root.addPositional(PositionalParamSpec.builder().paramLabel("ID").type(String.class).build());

    assertThat(FishCompletion.of(root).lines().skip(12))
        .containsExactly(
            "complete -c sluice -n '__sluice_command' -l a -d 'it\\'s 100% \\\\ ; $x'");
  }

  private static String printed(String shell) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), "completion", shell)).isZero();
    assertThat(err.toString()).isEmpty();
    return out.toString();
  }

  /** What bash prints, its errors too. */
  private static String bash(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash"));
    command.addAll(List.of(words));
    Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
    bash.getOutputStream().close();
    String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return printed;
  }
}
