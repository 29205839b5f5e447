package org.sluiceca.client.connect;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Option;

/** The options that name the files of TLS: whom the client trusts, and its own certificate. */
public final class TlsOptions {
  @Option(
      names = "--client-cert",
      paramLabel = "FILE",
      description = "a client certificate where there is no token, PEM")
  private @Nullable Path clientCert;

  @Option(names = "--client-key", paramLabel = "FILE", description = "its private key, PEM")
  private @Nullable Path clientKey;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description = "certificates that the service's own is checked against, PEM")
  private @Nullable Path caFile;

  /** The client certificate that is named; fails if its key is not, or a file cannot be read. */
  public Optional<Credential.ClientCertificate> certificate() {
    if ((clientCert == null) != (clientKey == null)) {
      throw Failure.usage("--client-cert and --client-key belong together");
    }
    return clientCert == null || clientKey == null
        ? Optional.empty()
        : Optional.of(certificate(clientCert, clientKey));
  }

  /** The certificates that are trusted; empty if none are named; fails if they cannot be read. */
  public Optional<Path> caFile() {
    if (caFile != null && !Files.isReadable(caFile)) {
      throw Failure.of("cannot read " + caFile);
    }
    return Optional.ofNullable(caFile);
  }

  static Credential.ClientCertificate certificate(Path certificate, Path key) {
    for (Path file : List.of(certificate, key)) {
      if (!Files.isReadable(file) || Files.isDirectory(file)) {
        throw Failure.of(
            (file.equals(key) ? "--client-key" : "--client-cert") + ": cannot read " + file);
      }
    }
    return new Credential.ClientCertificate(certificate, key);
  }
}
