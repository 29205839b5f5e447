package org.sluiceca.load.plan;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;

/**
 * The nodes of a trial.
 *
 * @param count 1 to 30
 * @param issuerKey the algorithm of the issuing key, as {@code ./sluice up --issuer-key} takes it
 * @param issuers more issuers, each with a profile of its name
 * @param isIsolated whether the PKCS#11 module runs in a process of its own
 * @param javaOptions for their JVMs, in JDK_JAVA_OPTIONS; may be empty
 * @param settings of the service by their names in the environment, {@code SLUICE_…}
 */
public record NodePlan(
    int count,
    String issuerKey,
    List<Issuer> issuers,
    boolean isIsolated,
    String javaOptions,
    Map<String, String> settings) {

  /** What {@code ./sluice up} calls the issuer that every trial has. */
  static final String FIRST_ISSUER = "issuing";

  /** The density that one host is meant for. */
  static final int COUNT_MAX = 30;

  /**
   * An issuer in addition to the first one.
   *
   * @param key its algorithm, as of the first one
   */
  public record Issuer(String name, String key) {

    /** Validates. */
    public Issuer {
      if (!name.matches("[a-z][a-z0-9]{0,15}")
          || name.equals(FIRST_ISSUER)
          || !HsmPlan.KINDS.contains(key)) {
        throw new InputException(
            Text.format(
                "an issuer is a name and one of %s, not '%s %s'", HsmPlan.KINDS, name, key));
      }
    }

    /** Reads {@code rsa rsa-4096, slow rsa-3072}. */
    static List<Issuer> parseAll(String text) {
      return text.isEmpty()
          ? List.of()
          : Arrays.stream(text.split(",", -1)).map(String::strip).map(Issuer::parse).toList();
    }

    private static Issuer parse(String text) {
      String[] words = text.split("\\s+", -1);
      if (words.length != 2) {
        throw new InputException("an issuer is a name and an algorithm, not '" + text + "'");
      }
      return new Issuer(words[0], words[1]);
    }
  }

  /** Validates. */
  public NodePlan {
    PlanFile.range("nodes", count, 1, COUNT_MAX);
    issuers = List.copyOf(issuers);
    settings = Map.copyOf(settings);
    if (issuers.stream().map(Issuer::name).distinct().count() != issuers.size()) {
      throw new InputException("two issuers of one name");
    }
  }

  /** Returns the names of all issuers, the first one's before the others'. */
  public List<String> issuerNames() {
    return Stream.concat(Stream.of(FIRST_ISSUER), issuers.stream().map(Issuer::name)).toList();
  }

  NodePlan withCount(int other) {
    return new NodePlan(other, issuerKey, issuers, isIsolated, javaOptions, settings);
  }

  /** Reads {@code SLUICE_HSM_CALL_TIMEOUT=60s SLUICE_CRL_PERIOD=1h}. */
  static Map<String, String> parseSettings(String text) {
    Map<String, String> settings = new HashMap<>();
    for (String word : text.isEmpty() ? new String[0] : text.split("\\s+", -1)) {
      String[] halves = word.split("=", 2);
      if (halves.length != 2 || !halves[0].matches("SLUICE_[A-Z0-9_]+")) {
        throw new InputException("a setting is SLUICE_NAME=value, not '" + word + "'");
      }
      settings.put(halves[0], halves[1]);
    }
    return settings;
  }

  /**
   * Checks that each issuer's key is in some HSM, and that what an HSM holds is an issuer's.
   *
   * @throws InputException otherwise
   */
  void checkKeys(List<HsmPlan> hsms) {
    List<String> names = issuerNames();
    for (HsmPlan hsm : hsms) {
      if (!names.containsAll(hsm.issuers())) {
        throw new InputException(Text.format("hsm.%s.issuers: not among %s", hsm.name(), names));
      }
    }
    for (String issuer : names) {
      if (hsms.stream().noneMatch(hsm -> hsm.holds(issuer))) {
        throw new InputException("no HSM has the key of " + issuer);
      }
    }
  }
}
