package org.sluiceca.api;

import java.util.Locale;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.config.StartFailure;
import org.sluiceca.api.platform.tls.TlsPolicy;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/** Starts one CA node. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(CaProperties.class)
public class CaApplication {

  /** Exit code 1: failed, with one clear line on standard error. */
  private static final int FAILED = 1;

  /** Runs the node until it is asked to stop. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    TlsPolicy.install();
    try {
      SpringApplication.run(CaApplication.class, arguments);
    } catch (RuntimeException e) {
      // SpringApplication's own way to end after a training run; not a failure.
      if (e instanceof SpringApplication.AbandonedRunException) {
        throw e;
      }
      System.err.println("sluice: " + StartFailure.oneLine(e));
      System.exit(FAILED);
    }
  }
}
