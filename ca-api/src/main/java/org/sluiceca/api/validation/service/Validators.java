package org.sluiceca.api.validation.service;

import java.net.InetAddress;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.validation.Challenge;
import org.sluiceca.api.validation.Perspectives.Perspective;
import org.sluiceca.api.validation.TimeLimit;
import org.sluiceca.api.validation.ValidationException;
import org.sluiceca.api.validation.ValidationTerms;
import org.sluiceca.api.validation.Verdict;
import org.sluiceca.api.validation.dns.Addresses;
import org.sluiceca.api.validation.dns.Dns01Validator;
import org.sluiceca.api.validation.dns.DnsClient;
import org.sluiceca.api.validation.dns.PersistValidator;
import org.sluiceca.api.validation.http.Http01Validator;
import org.sluiceca.api.validation.tls.TlsAlpnValidator;

/** Validates challenges of each method. Holds no connection and no answer. Thread-safe. */
public final class Validators {

  private static final Logger LOG = LoggerFactory.getLogger(Validators.class);

  private final InstantSource clock;
  private final UnexpectedFaults faults;

  public Validators(InstantSource clock) {
    this(clock, new UnexpectedFaults(LOG, clock));
  }

  /** Reports to {@code faults} what a validator throws unexpectedly. */
  public Validators(InstantSource clock, UnexpectedFaults faults) {
    this.clock = clock;
    this.faults = faults;
  }

  /**
   * Makes one attempt: by this node, then by the perspectives of {@code terms}, all at once. Each
   * of the two blocks for the deadline of {@code terms} at most, and a second in which an operation
   * ends that has begun; may be repeated, since nothing is changed anywhere. An interrupt of the
   * caller ends look-ups early and stays set.
   *
   * @return the outcome, whatever the network does
   */
  public Verdict validate(Challenge challenge, ValidationTerms terms) {
    Verdict own = look(challenge, terms, Optional.empty());
    // A proof that this node does not see makes no further traffic.
    return own instanceof Verdict.Valid seen && !terms.perspectives().all().isEmpty()
        ? new Agreement(terms.perspectives(), terms.deadline(), faults)
            .reach(seen, one -> lookFrom(one, challenge, terms))
        : own;
  }

  /** Without its source address each look-up would fail as if the resolver were at fault. */
  private Verdict lookFrom(Perspective one, Challenge challenge, ValidationTerms terms) {
    return one.sourceFault()
        .<Verdict>map(fault -> new Verdict.Failed(Verdict.Kind.SERVER_INTERNAL, fault))
        .orElseGet(() -> look(challenge, terms.by(one), one.source()));
  }

  private Verdict look(Challenge challenge, ValidationTerms terms, Optional<InetAddress> source) {
    TimeLimit limit = TimeLimit.after(terms.deadline());
    try {
      DnsClient dns = DnsClient.of(terms, source, limit);
      Addresses addresses = new Addresses(dns, terms.addresses(), source);
      return switch (challenge.method()) {
        case HTTP_01 -> new Http01Validator(addresses, terms, limit).validate(challenge);
        case DNS_01 -> Dns01Validator.validate(challenge, dns);
        case TLS_ALPN_01 -> TlsAlpnValidator.validate(challenge, addresses, terms.tlsPort(), limit);
        case DNS_PERSIST_01 ->
            PersistValidator.validate(challenge, dns, terms.persist(), clock.instant());
      };
    } catch (ValidationException e) {
      return e.verdict();
    } catch (RuntimeException e) {
      // Of a library, over what a hostile machine sent: never valid, and the caller's loop goes on.
      faults.report("validation by " + challenge.method().text() + " of " + challenge.name(), e);
      return Verdict.unexpected();
    }
  }
}
