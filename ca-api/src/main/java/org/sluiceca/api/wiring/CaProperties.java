package org.sluiceca.api.wiring;

import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The configuration as it is written, under {@code sluice.}; docs/CONFIGURATION.md lists it. An
 * unknown key is an error.
 *
 * @param nodeName this node, in logs and claims
 * @param stateDir the node's own files: its TLS key and certificate
 * @param publicUrl where relying parties find CRLs and issuer certificates; goes into certificates
 * @param httpPort the plain port for CRL, OCSP and issuer certificates; 0 takes a free one
 * @param nativeCrypto whether signatures may be verified by a native library, where there is one
 * @param profiles a folder of profile files, or {@code classpath:} for the demo profiles
 * @param keyBlocklist a file of known bad keys; empty for none
 */
@ConfigurationProperties(prefix = "sluice", ignoreUnknownFields = false)
public record CaProperties(
    @DefaultValue("node-0") String nodeName,
    Path stateDir,
    @DefaultValue("http://localhost:8080") String publicUrl,
    @DefaultValue("8080") int httpPort,
    @DefaultValue("true") boolean nativeCrypto,
    @DefaultValue("classpath:") String profiles,
    @DefaultValue("") String keyBlocklist,
    Database database,
    Hsm hsm,
    @DefaultValue Line line) {

  /** The ledger's database. */
  public record Database(String url, @DefaultValue("sluice") String user, Path passwordFile) {}

  /** The token that holds the issuing keys. */
  public record Hsm(
      Path module,
      String tokenLabel,
      Path pinFile,
      @DefaultValue("8") int sessions,
      @DefaultValue("1024") int queueCapacity,
      @DefaultValue("5s") Duration callTimeout,
      @DefaultValue("false") boolean isolated) {}

  /**
   * The line's bounds.
   *
   * @param places how many requests may be between admission and outcome. 512 of 4 KB are 2 MB, and
   *     they are fewer than the lane's queue holds, so that refusals come from admission
   * @param intentAgeMax how long an intent may wait for a signer before it is given up
   */
  public record Line(@DefaultValue("512") int places, @DefaultValue("24h") Duration intentAgeMax) {}
}
