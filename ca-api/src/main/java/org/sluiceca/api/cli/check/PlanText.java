package org.sluiceca.api.cli.check;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.sluiceca.core.profile.CertificateProfile;

/** A check's result as lines for people. */
final class PlanText {

  private PlanText() {}

  /** Returns name, version and digest of what a profile decides, in one phrase. */
  static String identity(CertificateProfile profile) {
    return String.format(
        Locale.ROOT,
        "profile %s, version %d, content %s",
        profile.name(),
        profile.version().number(),
        profile.version().digest().toString());
  }

  static String lane(CertificateProfile profile) {
    return profile.lane().name().toLowerCase(Locale.ROOT);
  }

  static String of(CheckResult result) {
    return switch (result) {
      case CheckResult.Refused refused -> refused(refused);
      case CheckResult.Planned planned -> planned(planned);
    };
  }

  private static String refused(CheckResult.Refused refused) {
    return "would be refused"
        + line("step", refused.step() + " " + CheckResult.stepName(refused.step()))
        + line("reason", refused.rejection().reason().name())
        + line("detail", refused.rejection().detail())
        + line("profile", identity(refused.profile()))
        + line("issuer", refused.issuer().description());
  }

  private static String planned(CheckResult.Planned planned) {
    PlanView view = PlanView.of(planned);
    StringBuilder text = new StringBuilder("would be issued");
    text.append(line("profile", identity(planned.profile())));
    text.append(line("lane", lane(planned.profile())));
    text.append(line("issuer", planned.issuer().description()));
    text.append(line("subject", view.subject()));
    text.append(lines("names", view.subjectAltNames()));
    long days = Duration.between(view.notBefore(), view.notAfter()).plusSeconds(1).toDays();
    text.append(
        line(
            "valid",
            String.format(
                Locale.ROOT, "%s to %s (%d days)", view.notBefore(), view.notAfter(), days)));
    view.clampedFrom()
        .ifPresent(
            wanted ->
                text.append(line("", "ends with the issuer; the profile would say " + wanted)));
    text.append(line("key", view.key()));
    text.append(line("signature", view.signatureAlgorithm()));
    text.append(
        lines(
            "extensions",
            view.extensions().stream()
                .map(
                    e ->
                        String.format(
                            Locale.ROOT,
                            "%s%s: %s",
                            e.name(),
                            e.critical() ? " critical" : "",
                            e.value()))
                .toList()));
    text.append(lines("overridden", view.overridden()));
    text.append(line("lints", view.lints() + " passed"));
    return text.toString();
  }

  private static String lines(String name, List<String> values) {
    if (values.isEmpty()) {
      return line(name, "none");
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      text.append(line(i == 0 ? name : "", values.get(i)));
    }
    return text.toString();
  }

  /** A value may hold what a stranger wrote: no control character reaches the terminal. */
  private static String line(String name, String value) {
    return String.format(Locale.ROOT, "%n%-12s %s", name, value.replaceAll("\\p{Cntrl}", "?"));
  }
}
