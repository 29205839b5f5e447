package org.sluiceca.client.key;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Option;

/** The options that name a key store, which has a private key and its certificate. */
public final class StoreOptions {
  private static final String PKCS12 = "pkcs12";
  private static final String JKS = "jks";

  @Option(
      names = "--store",
      paramLabel = "FILE",
      description = "instead of PEM files: a key store that has key and certificate")
  private @Nullable Path store;

  @Option(
      names = "--store-type",
      paramLabel = "TYPE",
      description = "pkcs12 or jks (jks if the file's name ends so, otherwise pkcs12)")
  private @Nullable String storeType;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "the password of --store, in its first line")
  private @Nullable Path passwordFile;

  /** The store; null if PEM files are meant. Fails where options contradict. */
  public IdentityFiles.@Nullable Store store() {
    if (store == null) {
      if (passwordFile != null || storeType != null) {
        throw Failure.usage("--password-file and --store-type belong to --store");
      }
      return null;
    }
    if (passwordFile == null) {
      throw Failure.usage("--store needs --password-file FILE");
    }
    String type = type(store);
    if (!type.equals(PKCS12) && !type.equals(JKS)) {
      throw Failure.usage("--store-type is pkcs12 or jks, not '" + storeType + "'");
    }
    return new IdentityFiles.Store(store, type.toUpperCase(Locale.ROOT), passwordFile);
  }

  private String type(Path file) {
    if (storeType != null) {
      return storeType.toLowerCase(Locale.ROOT);
    }
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".jks") ? JKS : PKCS12;
  }
}
