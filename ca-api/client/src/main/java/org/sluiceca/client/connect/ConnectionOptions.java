package org.sluiceca.client.connect;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.proxy.Proxies;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options of each command that asks the service. What is named on the command line comes first,
 * then the connection named by {@code --connection}, then a trial's directory ({@code --data},
 * SLUICE_DATA), then the default connection of {@code sluice login}.
 */
public final class ConnectionOptions {
  private static final int WAIT_MAX = 86_400;

  @Option(
      names = "--connection",
      paramLabel = "NAME",
      description = "a connection made by `sluice login`")
  private @Nullable String name;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "the directory of a trial: its URLs, tokens and root (SLUICE_DATA)")
  private @Nullable Path data;

  @Option(
      names = "--url",
      paramLabel = "URL",
      split = ",",
      description = "URLs of the nodes, tried in turn (SLUICE_URL)")
  private List<String> urls = new ArrayList<>();

  @Option(names = "--token-file", paramLabel = "FILE", description = "a file with a bearer token")
  private @Nullable Path tokenFile;

  @Mixin private TlsOptions tls = new TlsOptions();

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "how long to try again and to wait for orders (${DEFAULT-VALUE})")
  private int wait;

  /** How long a command may wait in all: 0 s to one day. */
  public Duration patience() {
    if (wait < 0 || wait > WAIT_MAX) {
      throw Failure.usage("--wait is a number from 0 to " + WAIT_MAX + ", not " + wait);
    }
    return Duration.ofSeconds(wait);
  }

  /** Where to ask and as whom. Fails, saying what to name, where that is not known. */
  public Connection resolve(Purpose purpose) {
    return resolve(purpose, System.getenv(), System.getProperty("os.name", ""), home());
  }

  Connection resolve(Purpose purpose, Map<String, String> environment, String osName, Path home) {
    checkCredential();
    ConnectionFile file = new ConnectionFile(ConnectionFile.place(environment, osName, home));
    Optional<ConnectionFile.Entry> kept = kept(file, environment);
    Optional<Trial> trial = kept.isPresent() ? Optional.empty() : trial(environment);
    List<URI> where = where(environment, kept, trial);
    return new Connection(
        where, credential(purpose, kept, trial), trust(kept, trial), Proxies.of(environment));
  }

  private void checkCredential() {
    if (tls.certificate().isPresent() && tokenFile != null) {
      throw Failure.usage("--token-file and --client-cert are two credentials: which one?");
    }
    if (name != null && data != null) {
      throw Failure.usage("--connection and --data are two places: which one?");
    }
  }

  /**
   * The connection of the list that counts: the named one, or the default where no trial is named.
   */
  private Optional<ConnectionFile.Entry> kept(
      ConnectionFile file, Map<String, String> environment) {
    if (name != null) {
      return Optional.of(
          file.find(name)
              .orElseThrow(
                  () ->
                      Failure.usage(
                          "no connection '" + name + "': `sluice connections` lists them")));
    }
    boolean elsewhere =
        data != null
            || !urls.isEmpty()
            || !environment.getOrDefault("SLUICE_URL", "").isEmpty()
            || trial(environment).isPresent();
    return elsewhere ? Optional.empty() : file.find(null);
  }

  private Optional<Trial> trial(Map<String, String> environment) {
    if (data != null) {
      return Optional.of(new Trial(data));
    }
    String named = environment.getOrDefault("SLUICE_DATA", "");
    if (!named.isEmpty()) {
      return Optional.of(new Trial(Path.of(named)));
    }
    // The launcher's own folder, which counts where a trial has run in it.
    String own = environment.getOrDefault("SLUICE_DEFAULT_DATA", "");
    return own.isEmpty()
        ? Optional.empty()
        : Optional.of(new Trial(Path.of(own))).filter(Trial::isThere);
  }

  private List<URI> where(
      Map<String, String> environment, Optional<ConnectionFile.Entry> kept, Optional<Trial> trial) {
    if (!urls.isEmpty()) {
      return bases(urls, "--url");
    }
    if (name == null) {
      String named = environment.getOrDefault("SLUICE_URL", "");
      if (!named.isEmpty()) {
        return bases(List.of(named.split(",")), "SLUICE_URL");
      }
    }
    if (kept.isPresent()) {
      return bases(kept.get().urls(), "the connection's URL");
    }
    return trial
        .map(Trial::urls)
        .orElseThrow(
            () ->
                Failure.usage(
                    "where is the service? name it by --url, or once for all by `sluice login`"));
  }

  private static List<URI> bases(List<String> urls, String from) {
    return urls.stream().map(url -> Connection.base(url, from)).toList();
  }

  private Credential credential(
      Purpose purpose, Optional<ConnectionFile.Entry> kept, Optional<Trial> trial) {
    Optional<Credential.ClientCertificate> certificate = tls.certificate();
    if (certificate.isPresent()) {
      return certificate.get();
    }
    if (tokenFile != null) {
      return TokenFile.read(tokenFile);
    }
    if (purpose == Purpose.PUBLIC) {
      return new Credential.None();
    }
    if (kept.isPresent()) {
      return keptCredential(purpose, kept.get());
    }
    return trial
        .<Credential>map(t -> TokenFile.read(t.token(purpose)))
        .orElseThrow(
            () -> Failure.usage("as whom? name a token by --token-file, or --client-cert"));
  }

  private static Credential keptCredential(Purpose purpose, ConnectionFile.Entry entry) {
    String adminFile = entry.adminTokenFile();
    if (purpose == Purpose.ADMINISTER && adminFile != null) {
      return TokenFile.read(Path.of(adminFile));
    }
    String file = entry.tokenFile();
    if (purpose == Purpose.ENROLL && file != null) {
      return TokenFile.read(Path.of(file));
    }
    String cert = entry.clientCert();
    String key = entry.clientKey();
    if (cert != null && key != null) {
      return TlsOptions.certificate(Path.of(cert), Path.of(key));
    }
    if (file != null) {
      return TokenFile.read(Path.of(file));
    }
    throw Failure.usage(
        "the connection has no credential for this: name one by --token-file or --client-cert, or"
            + " add it by `sluice login`");
  }

  private Optional<Path> trust(Optional<ConnectionFile.Entry> kept, Optional<Trial> trial) {
    Optional<Path> named = tls.caFile();
    if (named.isPresent()) {
      return named;
    }
    String keptFile = kept.map(ConnectionFile.Entry::caFile).orElse(null);
    return keptFile == null ? trial.flatMap(Trial::root) : Optional.of(Path.of(keptFile));
  }

  private static Path home() {
    return Path.of(System.getProperty("user.home", "."));
  }
}
