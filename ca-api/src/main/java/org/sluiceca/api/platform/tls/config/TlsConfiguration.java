package org.sluiceca.api.platform.tls.config;

import java.net.InetAddress;
import java.net.URI;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.api.platform.tls.NodeTls;
import org.sluiceca.api.platform.tls.TlsRenewal;
import org.sluiceca.api.profile.version.VersionRules;
import org.sluiceca.core.enroll.AcceptSteps;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.FinishSteps;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds the node's own TLS identity. */
@Configuration(proxyBeanMethods = false)
public class TlsConfiguration {

  /** The service for the node's own enrollments, by profiles of files alone. */
  record NodeIssuance(IssuanceService service) {}

  /** No activation may keep a node from starting. */
  @Bean
  NodeIssuance nodeIssuance(
      AcceptSteps accept,
      FinishSteps finish,
      Ledger ledger,
      EventSink events,
      IssuanceService.Parts issuance,
      VersionRules rules) {
    Enrollment enrollment =
        new Enrollment(
            new AcceptSteps(
                accept.admission(),
                accept.orders(),
                accept.work(),
                new ProfileAuthorizer(rules.files()),
                accept.csrVerifier(),
                accept.planner()),
            finish,
            ledger,
            events);
    return new NodeIssuance(new IssuanceService(enrollment, issuance));
  }

  @Bean(destroyMethod = "close")
  TlsRenewal tls(
      NodeIssuance issuance,
      VersionRules rules,
      IssuerCatalog issuers,
      CaProperties properties,
      @Value("${server.address}") InetAddress address,
      InstantSource clock) {
    return new TlsRenewal(
        new NodeTls(
            issuance.service(),
            tlsIssuer(rules.files(), issuers),
            properties.stateDir(),
            nodeNames(properties, address),
            clock));
  }

  /** Returns the names under which clients reach this node: its certificate has them. */
  public static Set<String> nodeNames(CaProperties properties, InetAddress address) {
    return NodeTls.names(
        address,
        Stream.of(properties.publicUrl(), properties.serviceUrl())
            .map(url -> URI.create(url).getHost())
            .filter(Objects::nonNull)
            .distinct()
            .toList());
  }

  /** The node enrolls under tls-server like anybody, so that profile's issuer is its issuer. */
  private static Issuer tlsIssuer(ProfileCatalog profiles, IssuerCatalog issuers) {
    ProfileName profile = NodeTls.NODE.profiles().iterator().next();
    return profiles
        .find(profile)
        .flatMap(p -> issuers.find(p.issuer()))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    String.format(
                        Locale.ROOT,
                        "a node needs the profile %s, of an active issuer, for itself",
                        profile)));
  }
}
