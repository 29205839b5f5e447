package org.sluiceca.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "frobnicate | unknown command 'frobnicate'",
        "enrol | did you mean 'enroll'?",
        "get --portt 1 2a | unknown option '--portt'",
        "enroll --proflie tls-server | unknown option '--proflie'",
        "get 2a --out | --out needs a value",
        "get 2a --out --quiet | --out needs a value",
        "enroll --csr= | --csr is empty",
        "enroll --csr --json | --csr needs a value",
        "profile add | profile add needs FILE",
        "get 2a --out= | --out is empty",
        "get 2a --out a --out b | --out is given twice",
        "get 2a 2b | takes no argument more: '2b'",
        "get | get needs SERIAL",
        "get ../../admin | is not a serial number",
        "revoke 2a | revoke needs --reason REASON",
        "revoke 2a --reason a\"b | is a name of RFC 5280",
        "approval | sluice approval needs one of: list",
        "approval refuse 00000000-0000-4000-8000-000000000000 abc | is not the sha256",
        "profile activate tls-server 0 | '0' is not a version",
        "profile activate ../x 1 | is not a profile's name",
        "issuer retire ../x | is not an issuer's name",
        "profile diff tls-server 3 | profile diff needs VERSION",
        "profile diff tls-server 3 0 | '0' is not a version",
        "credential | sluice credential needs one of: add, list, rotate, revoke",
        "credential add --requester w --roles BOSS --out a | REQUESTER, OFFICER, AUDITOR, ADMIN",
        "credential add --requester W --roles ADMIN --out a | --requester is 1 to 64 of",
        "credential add --requester w --roles ADMIN --out a --days 826 | from 1 to 825",
        "credential add --requester w --roles ADMIN | either --out FILE for a token",
        "credential add --requester w --roles ADMIN --out a --profiles ../x | profile's name",
        "credential rotate x --out a | 'x' is not the id of a credential",
        "credential revoke ../x | is not the id of a credential",
        "eab | sluice eab needs one of: add, list, revoke",
        "eab add --requester r --names a | add needs --endpoint E",
        "eab add --endpoint In --requester r --names a | 'In' is not an endpoint's name",
        "eab add --endpoint e --requester R --names a | --requester is 1 to 64 of",
        "eab add --endpoint e --requester r --names a --for caddy | one of [certbot, lego,"
            + " cert-manager",
        "eab add --endpoint e --requester r --names a --for lego --json | which one?",
        "eab revoke | eab revoke needs KID",
        "eab revoke a/b | 'a/b' is not the kid of an external account binding",
        "watch --every 0 | --every is a time such as",
        "watch --timeout 61 | --timeout is a number from 1 to 60",
        "watch --count 0 | --count is a number from 1",
        "expiry --within 367 | --within is a number from 1 to 366",
        "enroll --profile p | enroll needs --csr FILE, or --key FILE and a name",
        "enroll --profile p --csr a --dns b | --csr already has a key and names",
        "enroll --profile p --key k --dns b --key-type dsa | is none of ec-p256",
        "revoke-all --reason keyCompromise | needs --requester, --profile or --issuer",
        "completion tcsh | expected one of [bash, zsh, fish, powershell]",
        "schema | schema needs COMMAND",
        "revoke-all --reason x --requester r --confirm all | 64 hexadecimal digits",
        "find --status bad | --status",
        "get 2a --wait 90000 | --wait is a number from 0 to 86400",
      })
  void run_badCommandLine_oneLineAndExitCode2(String line, String says) {
    int status = Main.run(new PrintWriter(out), new PrintWriter(err), words(line));

    assertThat(err.toString()).contains(says).startsWith("sluice: ");
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(out.toString()).isEmpty();
    assertThat(status).isEqualTo(2);
  }

  @Test
  void run_noCommand_namesThem() {
    assertThat(Main.run(new PrintWriter(out), new PrintWriter(err))).isEqualTo(2);
    assertThat(err.toString()).contains("needs one of: ").contains("enroll");
  }

  @Test
  void run_existingKey_isNeverOverwritten() throws Exception {
    Path key = Files.writeString(folder.resolve("www.key"), "precious");

    int status =
        Main.run(
            new PrintWriter(out),
            new PrintWriter(err),
            "enroll",
            "--profile",
            "p",
            "--dns",
            "a",
            "--key",
            key.toString());

    assertThat(status).isEqualTo(1);
    assertThat(err.toString()).contains("a key is never overwritten");
    assertThat(key).hasContent("precious");
  }

  private static String[] words(String line) {
    return line.split(" ");
  }

  @Test
  void version_isPrinted() {
    assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), "--version")).isZero();
    assertThat(out.toString()).startsWith("sluice ");
  }
}
