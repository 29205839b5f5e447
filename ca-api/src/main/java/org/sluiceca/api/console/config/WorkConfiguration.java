package org.sluiceca.api.console.config;

import java.security.SecureRandom;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.console.work.Previews;
import org.sluiceca.api.console.work.Siblings;
import org.sluiceca.api.revocation.store.SameKeyCertificates;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.enroll.Preview;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.time.Ticker;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the pages of work need besides the services of REST. */
@Configuration(proxyBeanMethods = false)
public class WorkConfiguration {

  @Bean
  Previews previews(
      ProfileCatalog profiles,
      CsrVerifier csrVerifier,
      Planner planner,
      Ticker ticker,
      SecureRandom random,
      AuditTrail trail) {
    return new Previews(new Preview(profiles, csrVerifier, planner, ticker, random), trail::record);
  }

  @Bean
  Siblings siblings(SameKeyCertificates sameKey) {
    return new Siblings(sameKey::of);
  }
}
