package org.sluiceca.client.shell;

import static java.util.Locale.ROOT;
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
        "sluice eab add --for cert- | cert-manager",
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
  void completion_zsh_isTheScriptOfBash_andTheFileOfAFunction() throws Exception {
    List<String> bash = printed("bash").lines().toList();
    List<String> zsh = printed("zsh").lines().toList();
    Files.write(folder.resolve("_sluice"), zsh);

    assertThat(zsh).startsWith("#compdef sluice").doesNotContain("  alias compopt=complete");
    assertThat(zsh.subList(1, bash.size()))
        .filteredOn(line -> !line.equals("  function compopt { :; }"))
        .isEqualTo(
            bash.subList(1, bash.size()).stream()
                .filter(line -> !line.equals("  alias compopt=complete"))
                .toList());
    assertThat(zsh).endsWith("  _bash_complete -F _complete_sluice -o default", "fi");
    // Run by zsh, if there is one, in deploy/local/test/package.sh.
    assertThat(bash("-n", folder.resolve("_sluice").toString())).isEmpty();
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
            "complete -c sluice -n '__sluice_command completion' -a 'bash zsh fish powershell'");
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

  /** By its structure: it was never run, for there is no PowerShell here. */
  @Test
  void completion_powershell_hasATableOfEachCommandWithItsOptions() {
    String script = printed("powershell");

    assertThat(script.lines())
        .startsWith(
            "# Completion of sluice for PowerShell.",
            "Register-ArgumentCompleter -Native -CommandName 'sluice' -ScriptBlock {")
        .contains(
            "        'profile add' = @{",
            "                ,@('revoke', 'Revoke a certificate.')",
            "                ,@('--csr', 'a request, PEM or DER')",
            "                '--csr' = @()",
            "                ,@('powershell', 'SHELL')")
        .containsSequence(
            "                '--status' = @(",
            "                    ,@('valid', 'S')",
            "                    ,@('revoked', 'S')",
            "                    ,@('expired', 'S')",
            "                )");
    assertThat(script).matches("[ -~\\n]*");
    assertThat(brackets(script)).isEmpty();
    // PowerShell's tables do not tell capitals from small letters, and take no key twice.
    List<String> tables =
        script
            .lines()
            .filter(l -> l.startsWith("        '"))
            .map(l -> l.toLowerCase(ROOT))
            .toList();
    assertThat(tables).doesNotHaveDuplicates().hasSizeGreaterThan(20);
    for (String table : script.split("lists = @\\{", -1)) {
      assertThat(table.split("\n            }\n", 2)[0].lines().filter(l -> l.contains("' = @(")))
          .extracting(l -> l.toLowerCase(ROOT))
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void powershell_quotesAndHiddenParts_areDoubledAndLeftOut() {
    CommandSpec root = CommandSpec.create().name("sluice");
    CommandSpec secret = CommandSpec.create();
    secret.usageMessage().hidden(true);
    root.addSubcommand("secret", secret);
    root.addOption(OptionSpec.builder("--a").description("it's \u2018$x\u2019 `n\u2026").build());
    root.addOption(OptionSpec.builder("-b").build());
    root.addOption(OptionSpec.builder("--c").hidden(true).build());

    assertThat(PowerShellCompletion.of(root).lines().skip(4).limit(8))
        .containsExactly(
            "        '' = @{",
            "            words = @()",
            "            options = @(",
            "                ,@('--a', 'it''s ?$x? `n...')",
            "                ,@('-b', '-b')",
            "            )",
            "            lists = @{",
            "            }");
  }

  /** What is left of a script without its texts and all pairs of brackets. */
  private static String brackets(String script) {
    String left =
        script
            .replaceAll("(?m)^#.*$", "")
            .replaceAll("'(?:[^']|'')*'", "")
            .replaceAll("\"[^\"]*\"", "")
            .replaceAll("[^(){}\\[\\]]", "");
    for (int length = -1; length != left.length(); ) {
      length = left.length();
      left = left.replace("()", "").replace("{}", "").replace("[]", "");
    }
    return left;
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
