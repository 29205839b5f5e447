package org.sluiceca.api.warm;

import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.http.access.OwnRequests;
import org.sluiceca.api.profile.version.VersionRules;
import org.sluiceca.core.enroll.DryRun;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.CsrDer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Runs the code of an enrollment while the node's ports are open and it is not ready yet: steps 2
 * to 4 with fixed requests, and connections to its own port. A fault is logged, and the node starts
 * as it would without. Blocks for {@link #TIME_MAX} at most, apart from one request.
 */
@Component
final class WarmUp implements ApplicationRunner {

  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  /** A part of a start that takes 4 to 8 s. Half of it is for each kind. */
  private static final Duration TIME_MAX = Duration.ofMillis(800);

  /** C1 compiles a method after some 200 calls. */
  private static final int DRY_RUNS = 240;

  private static final int CONNECTIONS = 20;

  private static final int TIMEOUT_MILLIS = 400;

  /** The profile that each node must have for itself. */
  static final ProfileName PROFILE = new ProfileName("tls-server");

  private record Planned(int planned, int all) {}

  private final DryRun dryRun;
  private final VersionRules profiles;
  private final SslBundles identities;
  private final OwnRequests own;
  private final Environment environment;
  private final InetAddress address;
  private final Ticker ticker;

  WarmUp(
      DryRun dryRun,
      VersionRules profiles,
      SslBundles identities,
      OwnRequests own,
      Environment environment,
      @Value("${server.address}") InetAddress address,
      Ticker ticker) {
    this.dryRun = dryRun;
    this.profiles = profiles;
    this.identities = identities;
    this.own = own;
    this.environment = environment;
    this.address = address;
    this.ticker = ticker;
  }

  @Override
  public void run(ApplicationArguments arguments) {
    long begun = ticker.nanoTime();
    try {
      Planned plans = dryRun(begun);
      int connected = connect(begun);
      LOG.info(
          "warm-up: {} of {} requests planned, {} connections to the own port, {} ms",
          plans.planned(),
          plans.all(),
          connected,
          TimeUnit.NANOSECONDS.toMillis(ticker.nanoTime() - begun));
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      // Whatever is wrong with a profile or a file: requests will say it, a start must not fail.
      LOG.warn("no warm-up, the first requests take longer: {}", e.toString());
    }
  }

  private Planned dryRun(long begun) throws IOException {
    CertificateProfile profile = profiles.files().find(PROFILE).orElseThrow();
    List<CsrDer> requests = FixedRequests.read();
    int planned = 0;
    int done = 0;
    while (done < DRY_RUNS && isBefore(begun + TIME_MAX.toNanos() / 2)) {
      planned += dryRun.run(profile, requests.get(done % requests.size())) ? 1 : 0;
      done++;
    }
    return new Planned(planned, done);
  }

  private int connect(long begun) throws IOException, GeneralSecurityException {
    OwnConnection connection =
        new OwnConnection(
            identities.getBundle("node"),
            address,
            environment.getRequiredProperty("local.server.port", Integer.class),
            own);
    int done = 0;
    while (done < CONNECTIONS && isBefore(begun + TIME_MAX.toNanos())) {
      connection.get(TIMEOUT_MILLIS);
      done++;
    }
    return done;
  }

  private boolean isBefore(long nanos) {
    return ticker.nanoTime() - nanos < 0;
  }
}
