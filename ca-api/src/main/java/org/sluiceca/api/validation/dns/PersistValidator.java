package org.sluiceca.api.validation.dns;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.api.validation.Challenge;
import org.sluiceca.api.validation.PersistTerms;
import org.sluiceca.api.validation.ValidationException;
import org.sluiceca.api.validation.Verdict;

/** Validates dns-persist-01 (draft-ietf-acme-dns-persist-02). */
public final class PersistValidator {

  private static final String LABEL = "_validation-persist.";

  /** Names above the one to be proven that are asked for a record of theirs. */
  private static final int PARENTS_MAX = 4;

  private PersistValidator() {}

  /**
   * Looks for a record of the name, then of names above if the terms allow it. Blocks until the
   * client's limit at most.
   *
   * @param now against which a record's end is held
   * @throws ValidationException if there is none for this account, CA and name
   */
  public static Verdict.Valid validate(
      Challenge challenge, DnsClient dns, PersistTerms terms, Instant now)
      throws ValidationException {
    List<String> domains = new ArrayList<>();
    domains.add(challenge.name());
    if (terms.parents()) {
      domains.addAll(parents(challenge.name()));
    }
    List<Optional<String>> faults = new ArrayList<>();
    for (String domain : domains) {
      boolean isParent = !domain.equals(challenge.name());
      Judgement judgement =
          new Judgement(
              terms, accountUris(challenge, domain, terms), challenge.wildcard() || isParent, now);
      Optional<Verdict.Valid> valid = at(domain, dns, judgement, faults);
      if (valid.isPresent()) {
        return valid.get();
      }
    }
    throw new ValidationException(
        Verdict.Kind.UNAUTHORIZED,
        faults.stream()
            .flatMap(Optional::stream)
            .findFirst()
            .orElse(
                "there is no TXT record of this CA at "
                    + LABEL
                    + challenge.name()
                    + "; expected is one that begins with "
                    + String.join(" or ", terms.issuerDomainNames())));
  }

  /** Each server has to have one that holds. */
  private static Optional<Verdict.Valid> at(
      String domain, DnsClient dns, Judgement judgement, List<Optional<String>> faults)
      throws ValidationException {
    Optional<Instant> until = Optional.empty();
    for (TxtLookup.Texts seen : TxtLookup.at(dns, LABEL + domain)) {
      Optional<PersistRecord> best = judgement.best(seen.texts());
      if (best.isEmpty()) {
        faults.add(judgement.fault(seen.texts()).map(fault -> fault + " at " + LABEL + domain));
        return Optional.empty();
      }
      until = earlier(until, best.get().until());
    }
    return Optional.of(new Verdict.Valid("TXT at " + LABEL + domain, until));
  }

  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    return one.isPresent() && other.isPresent()
        ? Optional.of(one.get().isBefore(other.get()) ? one.get() : other.get())
        : one.or(() -> other);
  }

  /** The names above, nearest first, of two labels at least: no record of a registry counts. */
  private static List<String> parents(String name) {
    List<String> parents = new ArrayList<>();
    String rest = name;
    while (parents.size() < PARENTS_MAX) {
      rest = rest.substring(rest.indexOf('.') + 1);
      if (rest.indexOf('.') < 0) {
        break;
      }
      parents.add(rest);
    }
    return parents;
  }

  private static Set<String> accountUris(Challenge challenge, String domain, PersistTerms terms) {
    Set<String> uris = new HashSet<>();
    if (terms.clearAccountUri()) {
      uris.add(challenge.account().uri());
    }
    Challenge.Account account = challenge.account();
    for (String key : account.keyThumbprints()) {
      for (String bound : List.of(domain, HashedAccountUri.ANY_DOMAIN)) {
        uris.add(HashedAccountUri.of(account.hashPrefix(), bound, key, account.uri()));
      }
    }
    return uris;
  }

  /** What a record has to say. */
  private record Judgement(
      PersistTerms terms, Set<String> accountUris, boolean needsWildcard, Instant now) {

    /** The record that holds longest, of those that hold. */
    Optional<PersistRecord> best(List<String> texts) {
      return texts.stream()
          .flatMap(text -> PersistRecord.parse(text).stream())
          .filter(record -> faultOf(record).isEmpty())
          .max(Comparator.comparing(record -> record.until().orElse(Instant.MAX)));
    }

    /** Why the first record of this CA does not hold; empty if there is none of this CA. */
    Optional<String> fault(List<String> texts) {
      return texts.stream()
          .flatMap(text -> PersistRecord.parse(text).stream())
          .filter(record -> terms.issuerDomainNames().contains(record.issuerDomainName()))
          .flatMap(record -> faultOf(record).stream())
          .findFirst();
    }

    private Optional<String> faultOf(PersistRecord record) {
      if (!terms.issuerDomainNames().contains(record.issuerDomainName())) {
        return Optional.of("another CA's record");
      }
      if (!accountUris.contains(record.accountUri())) {
        return Optional.of("accounturi is not that of the account that asks");
      }
      if (needsWildcard && !record.isWildcard()) {
        return Optional.of("policy=wildcard is missing, which wildcards and subdomains need");
      }
      if (record.until().isPresent() && record.until().get().isBefore(now)) {
        return Optional.of("persistUntil has passed");
      }
      return Optional.empty();
    }
  }
}
