package org.sluiceca.load.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.HsmPlan;

/**
 * Makes the simulated HSMs of a run: for each a device, a copy of the module that is it, and behind
 * that a SoftHSM token of its own, in a copy of the library of its own: two libraries in one
 * process that log in to one token at once disturb each other. Used by one thread at a time.
 */
public final class HsmMaker {

  /** The nodes' own. */
  public static final String TOKENS_FILE = "tokens.yaml";

  /** What the first HSM's second module and the library behind it are called behind its name. */
  private static final String DIVIDED = "-own";

  private final Parts parts;
  private final List<HsmPlan> plans;
  private final SoftHsmTokens tokens;

  /** Whether the first HSM has another token by now than the one in which keys were made. */
  private boolean isDivided;

  /**
   * What HSMs are made of.
   *
   * @param folder for all that is made; {@code tokens} in it is where SOFTHSM2_CONF has tokens
   * @param module libnethsm.so
   * @param softHsm libsofthsm2.so
   * @param program nethsm
   * @param pinFile of all tokens
   */
  public record Parts(Path folder, Path module, Path softHsm, Path program, Path pinFile) {}

  /** Of these plans, none of which is made yet. */
  public HsmMaker(Parts parts, List<HsmPlan> plans) {
    this.parts = parts;
    this.plans = List.copyOf(plans);
    this.tokens = new SoftHsmTokens(parts);
  }

  /** Makes all devices, and the first one's token, which holds no key yet. */
  public HsmDevices make() {
    tokens.make(label(0));
    for (HsmPlan plan : plans) {
      copyModule(plan.name(), plan.name());
    }
    return again();
  }

  /** Returns whether the devices were made in this folder before. */
  public boolean isMade() {
    return plans.stream().allMatch(plan -> Files.exists(module(plan.name())));
  }

  /** Recreates the devices of existing tokens, to continue a run that was interrupted. */
  public HsmDevices again() {
    Map<String, Path> states = new LinkedHashMap<>();
    plans.forEach(plan -> states.put(plan.name(), state(plan.name())));
    HsmDevices devices = new HsmDevices(parts.program(), states);
    for (HsmPlan plan : plans) {
      try {
        boolean ignored = Files.deleteIfExists(state(plan.name()));
      } catch (IOException e) {
        throw new TrialException("cannot make an HSM in " + parts.folder(), e);
      }
      devices.order(plan.name(), plan.createWords());
    }
    return devices;
  }

  private void copyModule(String hsm, String name) {
    Path module = module(name);
    Path behind = parts.folder().resolve("libsofthsm2-" + name + ".so");
    try {
      Path library = Files.copy(parts.softHsm(), behind);
      Path ignored = Files.copy(parts.module(), module);
      Files.writeString(
          module.resolveSibling(module.getFileName() + ".conf"),
          "NETHSM_STATE=" + state(hsm) + "\nNETHSM_MODULE=" + library + "\n");
    } catch (IOException e) {
      throw new TrialException("cannot make an HSM in " + parts.folder(), e);
    }
  }

  private Path state(String hsm) {
    return parts.folder().resolve(hsm + ".state");
  }

  /**
   * Returns the options of {@code ./sluice up}: the token in which the ceremony makes keys, and the
   * nodes' tokens file if there are several.
   */
  public List<String> upOptions() {
    List<String> options = new ArrayList<>();
    options.addAll(List.of("--pkcs11-module", module(plans.getFirst().name()).toString()));
    options.addAll(List.of("--token-label", label(0), "--pin-file", parts.pinFile().toString()));
    if (plans.size() > 1) {
      options.addAll(List.of("--tokens-file", parts.folder().resolve(TOKENS_FILE).toString()));
    }
    return options;
  }

  /** Returns the names under which nodes look for what was measured of each HSM. */
  public List<String> measuredNames() {
    return plans.size() == 1 ? List.of(label(0)) : plans.stream().map(HsmPlan::name).toList();
  }

  /**
   * Writes a tokens file of all HSMs but the first: it was measured before the nodes had it, and
   * now they use it, which no measuring should meet.
   */
  public Path writeOthersFile() {
    return writeTokensFile("others.yaml", name -> !name.equals(plans.getFirst().name()));
  }

  /**
   * Copies the first token with its keys behind all other devices, as replicated HSMs have them.
   */
  public void replicate() {
    tokens.copy(label(0), IntStream.range(1, plans.size()).mapToObj(HsmMaker::label).toList());
  }

  /**
   * Leaves in each HSM the keys of its own issuers alone, with those of their OCSP responders. The
   * first one gets a token of its own for that: nodes have the original open, and its module would
   * not see another. Nodes then have to be given a tokens file that is written afterwards.
   *
   * @param issuers all of them: their names are the CKA_IDs of their keys
   */
  public void divide(List<String> issuers) {
    tokens.copy(label(0), List.of(label(plans.size())));
    copyModule(plans.getFirst().name(), plans.getFirst().name() + DIVIDED);
    isDivided = true;
    for (int i = 0; i < plans.size(); i++) {
      HsmPlan plan = plans.get(i);
      List<String> others = issuers.stream().filter(issuer -> !plan.holds(issuer)).toList();
      if (!others.isEmpty()) {
        tokens.forget(tokenOf(i), others);
      }
    }
  }

  /**
   * Writes a tokens file, whole or not at all.
   *
   * @param name of the file in the folder
   * @param listed by the HSM's name
   */
  public Path writeTokensFile(String name, Predicate<String> listed) {
    String text =
        IntStream.range(0, plans.size())
            .filter(i -> listed.test(plans.get(i).name()))
            .mapToObj(this::entry)
            .collect(Collectors.joining());
    try {
      Path fresh = Files.writeString(parts.folder().resolve(name + ".new"), text);
      return Files.move(
          fresh,
          parts.folder().resolve(name),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new TrialException("cannot write " + name + " in " + parts.folder(), e);
    }
  }

  private String entry(int index) {
    HsmPlan plan = plans.get(index);
    List<String> lines = new ArrayList<>();
    lines.add("- name: " + plan.name());
    lines.add("  module: " + module(index == 0 && isDivided ? plan.name() + DIVIDED : plan.name()));
    lines.add("  token-label: " + tokenOf(index));
    lines.add("  pin-file: " + parts.pinFile());
    lines.add("  preference: " + (plan.isBackup() ? "backup" : "preferred"));
    return String.join("\n", lines) + "\n";
  }

  private String tokenOf(int index) {
    return label(index == 0 && isDivided ? plans.size() : index);
  }

  /** All of one length, and none the beginning of another. */
  private static String label(int index) {
    return Text.format("load-%02d", index);
  }

  private Path module(String name) {
    return parts.folder().resolve("libnethsm-" + name + ".so");
  }
}
