package org.sluiceca.api.platform.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.core.der.DerException;
import org.springframework.boot.autoconfigure.ssl.SslBundleRegistrar;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslBundleRegistry;
import org.springframework.boot.ssl.SslStoreBundle;

/**
 * Registers the node's TLS identity with the web server and renews it while the node runs. Owns one
 * platform thread.
 */
public final class TlsRenewal implements SslBundleRegistrar, AutoCloseable {

  /** The bundle's name in application.yaml. */
  private static final String BUNDLE = "node";

  /** A certificate of 90 days is renewed in its last 30: an hour more does not matter. */
  private static final Duration PERIOD = Duration.ofHours(1);

  private final NodeTls tls;

  // Written at start, then by the renewal thread alone.
  private volatile @Nullable Instant notAfter;

  // Set at start.
  private volatile @Nullable PeriodicTask task;

  /** Renews by {@code tls}. */
  public TlsRenewal(NodeTls tls) {
    this.tls = tls;
  }

  @Override
  public void registerBundles(SslBundleRegistry registry) {
    try {
      KeyStore identity = tls.stored().orElse(null);
      registry.registerBundle(BUNDLE, bundle(identity == null ? tls.enroll() : identity));
    } catch (IOException | GeneralSecurityException | DerException e) {
      throw new IllegalStateException("no TLS identity: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted at start", e);
    }
    PeriodicTask renewal =
        new PeriodicTask(
            new PeriodicTask.Terms(
                TlsRenewal.class,
                "tls-renewal",
                "the TLS certificate is not renewed",
                PERIOD,
                PERIOD,
                Duration.ZERO),
            isStopping -> renew(registry));
    task = renewal;
    renewal.start();
  }

  /** A month is left when this begins, so a failure is tried again in an hour. */
  private Duration renew(SslBundleRegistry registry) throws InterruptedException {
    try {
      if (tls.stored().isEmpty()) {
        registry.updateBundle(BUNDLE, bundle(tls.enroll()));
      }
      return PERIOD;
    } catch (IOException | GeneralSecurityException | DerException e) {
      throw new IllegalStateException("no TLS identity: " + e.getMessage(), e);
    }
  }

  /** Returns when the certificate in use ends; empty before there is one. Does not block. */
  public Optional<Instant> notAfter() {
    return Optional.ofNullable(notAfter);
  }

  private SslBundle bundle(KeyStore identity) throws IOException, GeneralSecurityException {
    if (identity.getCertificate(NodeKeyStore.ALIAS) instanceof X509Certificate certificate) {
      notAfter = certificate.getNotAfter().toInstant();
    }
    return SslBundle.of(
        SslStoreBundle.of(identity, NodeKeyStore.PASSWORD, tls.trustStore()),
        SslBundleKey.of(NodeKeyStore.PASSWORD, NodeKeyStore.ALIAS),
        // Not in application.yaml: with a bundle Boot takes them from nowhere else.
        TlsPolicy.OFFERED);
  }

  @Override
  public void close() {
    PeriodicTask renewal = task;
    if (renewal != null) {
      renewal.close();
    }
  }
}
