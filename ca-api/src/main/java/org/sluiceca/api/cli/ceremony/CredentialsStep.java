package org.sluiceca.api.cli.ceremony;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.acme.binding.Binding;
import org.sluiceca.api.acme.binding.NewBinding;
import org.sluiceca.api.acme.binding.store.BindingStore;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.platform.secret.SecretKeys;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.name.NameSpace;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

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

  @Option(
      names = "--acme-service-url",
      description = "also write acme-eab.json, a binding for endpoint trial of this service's ACME")
  private @Nullable String acmeServiceUrl;

  @Option(names = "--secrets-file", description = "the file of keys, made unless it is there")
  private @Nullable Path secretsFile;

  @Override
  public Integer call() throws IOException {
    try (LedgerDatabase opened = database.open()) {
      Registry registry =
          new Registry(
              new CredentialStore(opened), CeremonyChain.begin(opened, "credentials", Map.of()));
      write(registry, "admin", Set.of(Role.ADMIN, Role.OFFICER, Role.AUDITOR), Set.of());
      write(registry, "enroll", Set.of(Role.REQUESTER), DEMO_PROFILES);
      if (acmeServiceUrl != null && secretsFile != null) {
        writeBinding(opened, registry.chain(), acmeServiceUrl, secretsFile);
      }
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

  /** Any DNS name, for accounts whose share and profiles are those of enroll.token. */
  private void writeBinding(
      LedgerDatabase opened, CeremonyChain chain, String service, Path secrets) throws IOException {
    if (!Files.exists(secrets)) {
      CeremonyFiles.writeSecret(secrets, SecretKeys.newFile().strip());
    }
    BindingStore bindings = new BindingStore(opened, SecretKeys.read(secrets));
    Path file = outDir.resolve("acme-eab.json");
    Instant now = InstantSource.system().instant().truncatedTo(ChronoUnit.MICROS);
    JsonMapper json = new JsonMapper();
    if (Files.exists(file)) {
      String kid = json.readTree(Files.readString(file)).path("kid").asString("");
      if (bindings.find(kid).filter(known -> known.binding().isValidAt(now)).isPresent()) {
        return;
      }
    }
    NewBinding fresh = NewBinding.next();
    Binding binding =
        new Binding(
            fresh.kid(),
            new EndpointName("trial"),
            new RequesterId("enroll"),
            new NameSpace(List.of(NameSpace.ANY)),
            Set.of(),
            false,
            "ceremony:root",
            now,
            now.plus(LIFETIME),
            Optional.empty());
    chain.result(
        Map.of(
            "acmeBinding",
            fresh.kid(),
            "requester",
            "enroll",
            "names",
            binding.names().patterns()));
    bindings.add(binding, fresh.hmacKey());
    Map<String, String> content = new LinkedHashMap<>();
    content.put("directory", service + "/acme/trial/directory");
    content.put("kid", fresh.kid());
    content.put("hmacKey", fresh.keyText());
    CeremonyFiles.writeSecret(file, json.writeValueAsString(content));
  }
}
