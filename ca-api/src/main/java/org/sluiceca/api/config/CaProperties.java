package org.sluiceca.api.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.auth.oidc.OidcSettings;
import org.sluiceca.api.certificate.find.FindSettings;
import org.sluiceca.api.console.ConsoleSettings;
import org.sluiceca.api.hsm.lease.WindowSettings;
import org.sluiceca.api.http.HttpSettings;
import org.sluiceca.api.http.access.AccessLogSettings;
import org.sluiceca.api.issuance.backlog.OrdersSettings;
import org.sluiceca.api.observe.trace.TraceSettings;
import org.sluiceca.api.ocsp.OcspSettings;
import org.sluiceca.api.revocation.crl.CrlSettings;
import org.sluiceca.core.quota.Quota;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The configuration as it is written, under {@code sluice.}; docs/CONFIGURATION.md lists it. An
 * unknown key is an error.
 *
 * @param nodeName this node, in logs and claims
 * @param stateDir the node's own files: its TLS key and certificate
 * @param publicUrl where relying parties find CRLs and issuer certificates; goes into certificates
 * @param serviceUrl where clients reach the service, {@code https://host:port}; empty for this
 *     node's own port on localhost
 * @param httpPort the plain port for CRL, OCSP and issuer certificates; 0 takes a free one
 * @param nativeCrypto whether signatures may be verified by a native library, where there is one
 * @param profiles a folder of profile files, or {@code classpath:} for the demo profiles
 * @param profilesAtRunTime whether profiles that administrators store and activate count in
 *     addition to the files
 * @param keyBlocklist a file of known bad keys; empty for none
 * @param endpoints a folder of files that describe endpoints of ACME; none without it
 * @param secretsFile keys that encrypt secrets in the database, the same on all nodes
 * @param clockSkew by how much the clocks of clients and relying parties may differ, 0 s to 1 h
 */
@ConfigurationProperties(prefix = "sluice", ignoreUnknownFields = false)
public record CaProperties(
    @DefaultValue("node-0") String nodeName,
    Path stateDir,
    @DefaultValue("http://localhost:8080") String publicUrl,
    @DefaultValue("") String serviceUrl,
    @DefaultValue("8080") int httpPort,
    @DefaultValue("true") boolean nativeCrypto,
    @DefaultValue("classpath:") String profiles,
    @DefaultValue("true") boolean profilesAtRunTime,
    @DefaultValue("") String keyBlocklist,
    @DefaultValue("5m") Duration clockSkew,
    @Nullable Path endpoints,
    @Nullable Path secretsFile,
    Database database,
    Hsm hsm,
    @DefaultValue Line line,
    @DefaultValue OrdersSettings orders,
    @DefaultValue CrlSettings crl,
    @DefaultValue OcspSettings ocsp,
    @DefaultValue Audit audit,
    @DefaultValue Approval approval,
    @DefaultValue FindSettings find,
    @DefaultValue TraceSettings tracing,
    @DefaultValue HttpSettings http,
    @DefaultValue AccessLogSettings accessLog,
    @DefaultValue ConsoleSettings console,
    @DefaultValue OidcSettings oidc) {

  /**
   * The ledger's database.
   *
   * @param user the account with whose rights the node serves
   * @param migrationUser the owner of the tables, if the node is to change the schema with another
   *     account than {@code user}; goes with {@code migrationPasswordFile}
   */
  public record Database(
      String url,
      @DefaultValue("sluice") String user,
      Path passwordFile,
      @Nullable String migrationUser,
      @Nullable Path migrationPasswordFile) {}

  /**
   * The tokens that hold the issuing keys: the one that {@code module}, {@code tokenLabel} and
   * {@code pinFile} name, or those that a file lists.
   *
   * @param vendor the name of a profile of return values; empty for what the module's name says
   * @param tokensFile what else a token may say is there; the rest holds for all that say nothing
   * @param region where this node stands; empty for nowhere in particular
   * @param sessions how many sessions, each with a thread; 0 for as many as the window may need
   * @param window how the jobs in a token are bounded
   * @param deviceQueue jobs that wait inside the HSM before it says busy. 64 is less than any
   *     network HSM that we know of holds; less than it has costs nothing but room for error
   * @param nodesMax how many nodes share a token at most. Each gets this part of the limit when it
   *     hears nothing of the others: four leave one alone enough to keep common HSMs busy
   */
  public record Hsm(
      @Nullable Path module,
      @Nullable String tokenLabel,
      @Nullable Path pinFile,
      @DefaultValue("") String vendor,
      @Nullable Path tokensFile,
      @DefaultValue("") String region,
      @DefaultValue("0") int sessions,
      @DefaultValue("shared") WindowSettings.Kind window,
      @DefaultValue("64") int deviceQueue,
      @DefaultValue("4") int nodesMax,
      @DefaultValue("1024") int queueCapacity,
      @DefaultValue("5s") Duration callTimeout,
      @DefaultValue("false") boolean isolated) {}

  /**
   * The audit trail.
   *
   * @param checkpointPeriod how long a row may stand before a checkpoint covers it
   * @param directory where checkpoints are exported to; without it {@code audit} in the state dir
   */
  public record Audit(@DefaultValue("60s") Duration checkpointPeriod, @Nullable Path directory) {}

  /**
   * The acts that need a second person.
   *
   * @param actions if any, {@code credential-admin} among them; all nodes hold back what one names
   */
  public record Approval(@DefaultValue Set<ApprovalAction> actions) {}

  /**
   * The line's bounds.
   *
   * @param places how many requests may be between admission and outcome. 512 of 4 KB are 2 MB, and
   *     they are fewer than the lane's queue holds, so that refusals come from admission
   * @param intentAgeMax how long an intent may wait for a signer before it is given up
   * @param quotaRequests how many requests of each requester this node admits in the window; 0 for
   *     any number
   * @param leaveNotice how long a node that was asked to stop goes on taking requests, unready
   */
  public record Line(
      @DefaultValue("512") int places,
      @DefaultValue("24h") Duration intentAgeMax,
      @DefaultValue("0") int quotaRequests,
      @DefaultValue("60s") Duration quotaWindow,
      @DefaultValue("5s") Duration leaveNotice) {

    private static final Duration LEAVE_NOTICE_MAX = Duration.ofMinutes(1);

    /** Refuses a notice below 0 or above a minute. */
    public Line {
      if (leaveNotice.isNegative() || leaveNotice.compareTo(LEAVE_NOTICE_MAX) > 0) {
        throw new IllegalArgumentException(
            "sluice.line.leave-notice is " + leaveNotice + ", for 0 s to 1 min");
      }
    }

    public Optional<Quota> quota() {
      return quotaRequests == 0
          ? Optional.empty()
          : Optional.of(new Quota(quotaRequests, quotaWindow));
    }
  }
}
