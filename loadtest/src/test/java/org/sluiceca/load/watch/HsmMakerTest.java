package org.sluiceca.load.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.plan.HsmPlan;

class HsmMakerTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private static HsmPlan plan(String name, boolean isBackup) {
    return plan(name, isBackup, List.of());
  }

  private static HsmPlan plan(String name, boolean isBackup, List<String> issuers) {
    return new HsmPlan(name, "netHSM2000", 8, 200, 150, "0x31", 1, Map.of(), 0, isBackup, issuers);
  }

  private HsmMaker maker(HsmPlan... plans) {
    Path pin = folder.resolve("pin");
    return new HsmMaker(new HsmMaker.Parts(folder, folder, folder, folder, pin), List.of(plans));
  }

  @Test
  void tokensFile_listsWhatIsAskedForWithItsOwnModuleAndToken() throws IOException {
    HsmMaker maker = maker(plan("near", false), plan("far", true));

    Path all = maker.writeTokensFile("all.yaml", name -> true);
    Path one = maker.writeTokensFile("all.yaml", "far"::equals);

    assertThat(one).isEqualTo(all).hasParent(folder);
    assertThat(Files.readString(one))
        .isEqualTo(
            """
            - name: far
              module: DIR/libnethsm-far.so
              token-label: load-01
              pin-file: DIR/pin
              preference: backup
            """
                .replace("DIR", folder.toString()));
  }

  /** Nodes use the first one by then. */
  @Test
  void othersFile_listsAllButTheFirst() throws IOException {
    HsmMaker maker = maker(plan("near", false), plan("far", true), plan("third", true));

    assertThat(Files.readAllLines(maker.writeOthersFile()))
        .contains("- name: far", "- name: third")
        .doesNotContain("- name: near");
  }

  @Test
  void measuredNames_areTheTokensFilesOrTheOneLabel() {
    assertThat(maker(plan("hsm", false)).measuredNames()).containsExactly("load-00");
    assertThat(maker(plan("near", false), plan("far", true)).measuredNames())
        .containsExactly("near", "far");
  }

  @Test
  void upOptions_haveATokensFileOnlyForSeveral() {
    assertThat(maker(plan("hsm", false)).upOptions())
        .containsExactly(
            "--pkcs11-module",
            folder + "/libnethsm-hsm.so",
            "--token-label",
            "load-00",
            "--pin-file",
            folder + "/pin");
    assertThat(maker(plan("near", false), plan("far", true)).upOptions())
        .endsWith("--tokens-file", folder + "/tokens.yaml");
  }

  /** A stand-in for the tool that writes down its arguments, and says what it is to say. */
  private HsmMaker dividing(String says) throws IOException {
    Path tokens = Files.createDirectories(folder.resolve("tokens/0123-4567890123456789"));
    Files.writeString(tokens.resolve("token.object"), "label load-00 serial 4567890123456789");
    Files.writeString(folder.resolve("pin"), "1234\n");
    Files.writeString(folder.resolve("module.so"), "");
    Path tool = folder.resolve("caller");
    Files.writeString(
        tool,
        "#!/bin/sh\necho \"$CALLER_PIN $*\" >>'%s/asked'\nprintf '%s'\n".formatted(folder, says));
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
    Path module = folder.resolve("module.so");
    return new HsmMaker(
        new HsmMaker.Parts(folder, module, module, folder.resolve("nethsm"), folder.resolve("pin")),
        List.of(plan("near", false, List.of("issuing")), plan("far", false, List.of("remote"))));
  }

  @Test
  void divide_eachHsmKeepsItsIssuersAlone_andTheFirstGetsAnotherToken() throws IOException {
    HsmMaker maker = dividing("remote 2\\nremote.ocsp 2\\nissuing 2\\n");
    maker.replicate();

    maker.divide(List.of("issuing", "remote"));

    assertThat(Files.readAllLines(folder.resolve("asked")))
        .containsExactly(
            "1234 forget load-02 remote remote.ocsp", "1234 forget load-01 issuing issuing.ocsp");
    assertThat(Files.readAllLines(maker.writeTokensFile("tokens.yaml", name -> true)))
        .contains(
            "  module: " + folder.resolve("libnethsm-near-own.so"),
            "  token-label: load-02",
            "  module: " + folder.resolve("libnethsm-far.so"),
            "  token-label: load-01");
    assertThat(Files.readString(folder.resolve("libnethsm-near-own.so.conf")))
        .startsWith("NETHSM_STATE=" + folder.resolve("near.state") + "\n");
  }

  /** Else its load would go on where it is not meant to be. */
  @Test
  void divide_keyThatWasNotThere_endsTheRun() throws IOException {
    HsmMaker maker = dividing("remote 0\\nremote.ocsp 0\\nissuing 2\\n");
    maker.replicate();

    assertThatExceptionOfType(TrialException.class)
        .isThrownBy(() -> maker.divide(List.of("issuing", "remote")))
        .withMessageContaining("the key of remote was not in load-02");
  }
}
