package org.sluiceca.load.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.plan.HsmPlan;

class HsmMakerTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private static HsmPlan plan(String name, boolean isBackup) {
    return new HsmPlan(name, "netHSM2000", 8, 200, 150, "0x31", 1, Map.of(), 0, isBackup);
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
}
