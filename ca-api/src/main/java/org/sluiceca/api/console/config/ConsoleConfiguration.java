package org.sluiceca.api.console.config;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.auth.AccessRecord;
import org.sluiceca.api.auth.Authenticator;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.console.Assets;
import org.sluiceca.api.console.ConsoleHeaders;
import org.sluiceca.api.console.ConsolePaths;
import org.sluiceca.api.console.ConsoleSettings;
import org.sluiceca.api.console.Pages;
import org.sluiceca.api.console.SessionFilter;
import org.sluiceca.api.console.live.LiveStreams;
import org.sluiceca.api.console.live.feed.LiveFeed;
import org.sluiceca.api.console.live.feed.NodeReader;
import org.sluiceca.api.console.live.feed.ProtocolTally;
import org.sluiceca.api.console.live.feed.RequesterTally;
import org.sluiceca.api.console.live.nodes.NodesFeed;
import org.sluiceca.api.console.live.nodes.store.NodeSecondStore;
import org.sluiceca.api.console.session.Sessions;
import org.sluiceca.api.console.session.store.SessionStore;
import org.sluiceca.api.hsm.capacity.CapacityReader;
import org.sluiceca.api.http.edge.Refusal;
import org.sluiceca.api.issuance.backlog.BacklogWatch;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.hsm.route.TokenGroup;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;

/** The console's parts. Nothing of them runs or is read before a page is asked for. */
@Configuration(proxyBeanMethods = false)
public class ConsoleConfiguration {

  /** Browsers and tabs of one person. */
  private static final int SESSIONS_OF_REQUESTER_MAX = 10;

  /** 200 bytes each, counted at each sign-in in some milliseconds. */
  private static final int SESSIONS_MAX = 10_000;

  @Bean
  ConsoleHeaders consoleHeaders() {
    return new ConsoleHeaders();
  }

  @Bean
  Assets consoleAssets() {
    return new Assets();
  }

  @Bean
  Pages consolePages(Assets assets, CaProperties properties) {
    return new Pages(assets, properties.nodeName());
  }

  @Bean
  Sessions consoleSessions(
      LedgerDatabase database,
      CaProperties properties,
      CredentialStore credentials,
      Authenticator authenticator,
      AuditTrail trail,
      InstantSource clock) {
    ConsoleSettings settings = properties.console();
    return new Sessions(
        new SessionStore(
            database,
            new SessionStore.Limits(
                settings.idleTimeout(),
                settings.sessionMax(),
                SESSIONS_OF_REQUESTER_MAX,
                SESSIONS_MAX)),
        credentials::find,
        authenticator::answerTo,
        trail,
        clock);
  }

  /** Before that of the API, which takes every path. */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  SecurityFilterChain consoleRoutes(
      CaProperties properties,
      Refusal refusal,
      Sessions sessions,
      AccessRecord record,
      Pages pages) {
    return new DefaultSecurityFilterChain(
        ConsolePaths::isOfConsole,
        properties.console().enabled()
            ? new SessionFilter(sessions, record, pages)
            : SessionFilter.off(refusal));
  }

  @Bean
  RequesterTally requesterTally() {
    return new RequesterTally();
  }

  @Bean
  ProtocolTally protocolTally() {
    return new ProtocolTally();
  }

  @Bean(destroyMethod = "close")
  LiveFeed liveFeed(
      MeterRegistry meters,
      Admission admission,
      TokenGroup tokens,
      BacklogWatch backlog,
      RequesterTally tally,
      ProtocolTally protocols,
      InstantSource clock) {
    return new LiveFeed(
        new NodeReader(
            meters, admission, new CapacityReader(tokens), backlog, tally, protocols, clock),
        tally);
  }

  @Bean(destroyMethod = "close")
  NodesFeed nodesFeed(
      CaProperties properties, LiveFeed feed, LedgerDatabase database, ChangeWatch changes) {
    NodesFeed nodes = new NodesFeed(properties.nodeName(), feed, new NodeSecondStore(database));
    if (properties.console().enabled()) {
      changes.follow(Topic.WATCHED, nodes::watched);
    }
    return nodes;
  }

  @Bean
  LiveStreams liveStreams(
      LiveFeed feed,
      NodesFeed nodes,
      Sessions sessions,
      CaProperties properties,
      MeterRegistry registry) {
    return new LiveStreams(feed, nodes, sessions::goesOn, properties.console().streams(), registry);
  }
}
