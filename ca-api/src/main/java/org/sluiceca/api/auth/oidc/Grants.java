package org.sluiceca.api.auth.oidc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;

/**
 * What administrators have granted to requesters, by their registered credentials. As for renewals,
 * a grant ends with the revocation of its credential, not with the date of its secret; that of a
 * role which decides about others also with that date. Thread-safe.
 */
final class Grants {

  /** As old as what is believed of any credential. */
  private static final Duration BELIEVED = Duration.ofSeconds(5);

  private static final long REQUESTERS_MAX = 10_000;

  /** Roles that decide about others: each person has them by a registration of its own. */
  private static final Set<Role> PERSONAL = EnumSet.of(Role.ADMIN, Role.OFFICER);

  /**
   * What stands for a requester.
   *
   * @param isRegistered whether it has, or ever had, a credential
   * @param isStanding whether one was never revoked
   */
  record Grant(
      boolean isRegistered, boolean isStanding, Set<Role> roles, Set<ProfileName> profiles) {

    /** Returns what this grants together with what all users of its provider share. */
    Grant with(Grant shared) {
      Set<Role> allRoles = new HashSet<>(roles);
      shared.roles().stream().filter(role -> !PERSONAL.contains(role)).forEach(allRoles::add);
      Set<ProfileName> allProfiles = new HashSet<>(profiles);
      allProfiles.addAll(shared.profiles());
      return new Grant(isRegistered, isStanding, allRoles, allProfiles);
    }
  }

  private final Function<RequesterId, List<RegisteredCredential>> register;
  private final InstantSource clock;
  private final Cache<RequesterId, Grant> grants;

  /** Reads from {@code register}, which may block and fail. */
  Grants(
      Function<RequesterId, List<RegisteredCredential>> register,
      InstantSource clock,
      Ticker ticker) {
    this.register = register;
    this.clock = clock;
    this.grants =
        Caffeine.newBuilder()
            .ticker(ticker)
            .executor(Runnable::run)
            .expireAfterWrite(BELIEVED)
            .maximumSize(REQUESTERS_MAX)
            .build();
  }

  /** Returns what stands for a requester, at most {@link #BELIEVED} old. */
  Grant of(RequesterId requester) {
    return grants.get(requester, this::read);
  }

  private Grant read(RequesterId requester) {
    List<RegisteredCredential> all = register.apply(requester);
    Set<Role> roles = new HashSet<>();
    Set<ProfileName> profiles = new HashSet<>();
    Instant now = clock.instant();
    boolean isStanding = false;
    for (RegisteredCredential credential : all) {
      if (credential.revokedAt().isEmpty()) {
        isStanding = true;
        credential.grant().roles().stream()
            .filter(role -> !PERSONAL.contains(role) || credential.isValidAt(now))
            .forEach(roles::add);
        profiles.addAll(credential.grant().profiles());
      }
    }
    return new Grant(!all.isEmpty(), isStanding, Set.copyOf(roles), Set.copyOf(profiles));
  }
}
