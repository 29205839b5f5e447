package org.sluiceca.client.login;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.connect.ConnectionFile;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.connect.TlsOptions;
import org.sluiceca.client.connect.TokenFile;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice login}: keeps a connection, after its credentials were accepted. */
@Command(
    name = "login",
    description = {
      "Keep a connection: URLs, root and credentials.",
      "Of root and credentials it keeps the names of the files. Each credential is tried once. The first connection becomes the default."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  sluice login prod --url https://ca.example.com:8443 \\",
      "    --ca-file root.pem --token-file web.token"
    })
public final class LoginCommand implements Callable<Integer> {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Console console;

  @Parameters(paramLabel = "NAME", description = "a name of your choice")
  private String name = "";

  @Option(
      names = "--url",
      required = true,
      split = ",",
      paramLabel = "URL",
      description = "URLs of the nodes, tried in turn")
  private List<String> urls = new ArrayList<>();

  @Option(names = "--token-file", paramLabel = "FILE", description = "to enroll and read")
  private @Nullable Path tokenFile;

  @Option(
      names = "--admin-token-file",
      paramLabel = "FILE",
      description = "to revoke, change profiles, approve")
  private @Nullable Path adminTokenFile;

  @Mixin private TlsOptions tls = new TlsOptions();

  @Option(names = "--default", description = "use it where no connection is named")
  private boolean asStandard;

  /** Prints on {@code console}. */
  public LoginCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (!NAME.matcher(name).matches()) {
      throw Failure.usage("'" + name + "' is not a name for a connection");
    }
    Optional<Credential.ClientCertificate> certificate = tls.certificate();
    Optional<Path> root = tls.caFile();
    List<URI> bases = urls.stream().map(url -> Connection.base(url, "--url")).toList();
    List<Credential> credentials = credentials(certificate);
    if (credentials.isEmpty()) {
      throw Failure.usage("login needs --token-file, --admin-token-file or --client-cert");
    }
    for (Credential credential : credentials) {
      Connection connection = new Connection(bases, credential, root);
      try (Service service = new Service(connection, PATIENCE, console)) {
        service.ask(Call.get("/v1/capacity"));
      }
    }
    ConnectionFile file = ConnectionFile.ofUser();
    file.put(
        name,
        new ConnectionFile.Entry(
            bases.stream().map(URI::toString).toList(),
            absolute(root.orElse(null)),
            absolute(tokenFile),
            absolute(adminTokenFile),
            absolute(certificate.map(Credential.ClientCertificate::certificate).orElse(null)),
            absolute(certificate.map(Credential.ClientCertificate::key).orElse(null))),
        asStandard);
    file.save();
    console.say("connection %s is kept", name);
    return 0;
  }

  private List<Credential> credentials(Optional<Credential.ClientCertificate> certificate) {
    List<Credential> credentials = new ArrayList<>();
    if (tokenFile != null) {
      credentials.add(TokenFile.read(tokenFile));
    }
    if (adminTokenFile != null) {
      credentials.add(TokenFile.read(adminTokenFile));
    }
    certificate.ifPresent(credentials::add);
    return credentials;
  }

  private static @Nullable String absolute(@Nullable Path file) {
    return file == null ? null : file.toAbsolutePath().normalize().toString();
  }
}
