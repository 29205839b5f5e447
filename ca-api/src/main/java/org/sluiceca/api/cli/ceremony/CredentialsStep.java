package org.sluiceca.api.cli.ceremony;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes the first two tokens; one that is still valid is kept. */
@Command(
    name = "credentials",
    description = "Writes admin.token and enroll.token, unless valid ones are there.")
final class CredentialsStep implements Callable<Integer> {

  /** A bootstrap token: long enough for a trial, too short to be forgotten for good. */
  private static final Duration LIFETIME = Duration.ofDays(30);

  private static final Set<ProfileName> DEMO_PROFILES =
      Stream.of("tls-server", "tls-client", "device", "short-lived")
          .map(ProfileName::new)
          .collect(Collectors.toUnmodifiableSet());

  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Option(names = "--out-dir", required = true)
  @SuppressWarnings("NullAway.Init") // picocli sets it, for it is required.
  private Path outDir;

  @Override
  public Integer call() throws IOException {
    try (LedgerDatabase opened = database.open()) {
      Registry registry =
          new Registry(
              new CredentialStore(opened), CeremonyChain.begin(opened, "credentials", Map.of()));
      write(registry, "admin", Set.of(Role.ADMIN, Role.OFFICER, Role.AUDITOR), Set.of());
      write(registry, "enroll", Set.of(Role.REQUESTER), DEMO_PROFILES);
      registry.chain().end();
    }
    return 0;
  }

  /** Where credentials are, and where it is recorded. */
  private record Registry(CredentialStore credentials, CeremonyChain chain) {}

  private void write(Registry registry, String name, Set<Role> roles, Set<ProfileName> profiles)
      throws IOException {
    Path file = outDir.resolve(name + ".token");
    InstantSource clock = InstantSource.system();
    if (Files.exists(file)) {
      Optional<RegisteredCredential> known =
          registry.credentials().find(Kind.TOKEN, Tokens.hash(Files.readString(file).strip()));
      if (known.filter(c -> c.isValidAt(clock.instant())).isPresent()) {
        return;
      }
    }
    String token = Tokens.next();
    Instant expiresAt = clock.instant().plus(LIFETIME);
    registry
        .chain()
        .result(
            Map.of(
                "requester", name,
                "sha256", Tokens.hash(token).toString(),
                "roles", roles.stream().map(Enum::name).sorted().toList(),
                "expiresAt", expiresAt.toString()));
    registry
        .credentials()
        .insert(
            new NewCredential(
                new RequesterId(name),
                Kind.TOKEN,
                Tokens.hash(token),
                new Grant(roles, profiles, expiresAt)));
    CeremonyFiles.writeSecret(file, token);
  }
}
