package org.sluiceca.api.cli.check;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.issuance.config.LineConfiguration;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.VerifiedCsr;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.AuthorizedRequest;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CsrDer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Takes one request through steps 2 to 4 and shows the plan, or the step that refuses it. */
@Command(
    name = "check",
    description = "Shows what would be issued for a CSR, or why it would be refused.")
final class CheckStep implements Callable<Integer> {

  /** Only the first step asks for it, and gives the one place at once. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it.
  private CommandSpec spec;

  @Option(
      names = "--profile",
      description = "The profile's name; with one file it may be left out.")
  private @Nullable String profileName;

  @Option(
      names = "--profile-file",
      description = "A profile file (YAML) to try, instead of the profiles in use.")
  private @Nullable Path profileFile;

  @Mixin private final KnownIssuers.Options inUse = new KnownIssuers.Options();

  @Option(names = "--csr", required = true, description = "The request: PEM, DER or base64.")
  @SuppressWarnings("NullAway.Init")
  private Path csr;

  @Option(
      names = "--requester",
      defaultValue = "requester",
      description = "Who asks, for templates: a registered name.")
  @SuppressWarnings("NullAway.Init")
  private String requester;

  @Option(
      names = "--chain",
      description = "The issuer's certificate and those above it (PEM); without it a stand-in.")
  private @Nullable Path chain;

  @Option(
      names = "--key-blocklist",
      defaultValue = "",
      description = "The file that sluice.key-blocklist names; without it no key counts as known.")
  @SuppressWarnings("NullAway.Init")
  private String keyBlocklist;

  @Option(
      names = "--public-url",
      defaultValue = "http://localhost:8080",
      description = "The base of the URLs in AIA and CRL DP; of a trial, what it was started with.")
  @SuppressWarnings("NullAway.Init")
  private String publicUrl;

  @Option(names = "--json", description = "Answer in JSON.")
  private boolean isJson;

  @Override
  public Integer call() throws IOException, DerException {
    CertificateProfile profile = profile();
    CheckIssuer issuer = CheckIssuer.of(profile.issuer(), Optional.ofNullable(chain), publicUrl);
    CheckResult result = check(profile, issuer, request());
    PrintWriter out = spec.commandLine().getOut();
    out.println(isJson ? PlanJson.of(result) : PlanText.of(result));
    out.flush();
    return result instanceof CheckResult.Planned ? 0 : ProfileCommand.FAILED;
  }

  private CertificateProfile profile() throws IOException {
    if (profileFile != null) {
      CertificateProfile profile = ProfileFiles.file(profileFile);
      if (profileName != null && !profile.name().value().equals(profileName)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "%s is profile %s, not %s", profileFile, profile.name(), profileName));
      }
      inUse.issuers().require(profileFile, profile);
      return profile;
    }
    if (profileName == null) {
      throw new IllegalArgumentException("name a profile: --profile NAME or --profile-file FILE");
    }
    return ProfileFiles.named(inUse.profiles(), profileName);
  }

  private CsrDer request() throws IOException, DerException {
    if (Files.size(csr) > CsrVerifier.CSR_BYTES_MAX) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s has %d bytes, allowed %d",
              csr,
              Files.size(csr),
              CsrVerifier.CSR_BYTES_MAX));
    }
    return Pem.request(Files.readAllBytes(csr));
  }

  private CheckResult check(CertificateProfile profile, CheckIssuer issuer, CsrDer request) {
    SecureRandom random = new SecureRandom();
    Admission admission = new Admission(1, () -> true, System::nanoTime, random);
    EnrollmentRequest asking =
        new EnrollmentRequest(asker(profile), profile.name(), request, Optional.empty());
    ProfileAuthorizer authorizer = new ProfileAuthorizer(new ProfileCatalog(List.of(profile)));
    Deadline answerBy = Deadline.after(ANSWER_MAX, System::nanoTime);
    int step = 2;
    try {
      if (!(admission.admit(authorizer.lane(asking), asking.requester().id(), answerBy)
          instanceof LinePermit place)) {
        throw new IllegalStateException("an empty line has no place");
      }
      AuthorizedRequest authorized = authorizer.authorize(place, asking);
      step++;
      VerifiedCsr verified =
          new CsrVerifier(new BouncyCastleVerifier(), LineConfiguration.keyBlocklist(keyBlocklist))
              .verify(authorized);
      step++;
      Planner planner =
          new Planner(
              new IssuerCatalog(List.of(issuer.issuer())),
              new SerialNumbers(random),
              InstantSource.system());
      return new CheckResult.Planned(profile, issuer, verified, planner.plan(verified));
    } catch (RejectedException e) {
      return new CheckResult.Refused(profile, issuer, step, e.rejection());
    }
  }

  /**
   * A requester that may use the profile: whether the real requester may is the credentials' part.
   */
  private Requester asker(CertificateProfile profile) {
    return new Requester(
        new RequesterId(requester),
        profile.use() == CertificateProfile.Use.CEREMONY
            ? Authentication.CEREMONY
            : Authentication.BEARER_TOKEN,
        Set.of(Role.REQUESTER),
        Set.of(profile.name()));
  }
}
