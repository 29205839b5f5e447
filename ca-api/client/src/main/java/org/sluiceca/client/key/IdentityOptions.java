package org.sluiceca.client.key;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name a private key and its certificate. */
public final class IdentityOptions {
  @Option(
      names = "--cert",
      paramLabel = "FILE",
      description = "certificate and chain, PEM; may be the same file as --key")
  private @Nullable Path cert;

  @Option(names = "--key", paramLabel = "FILE", description = "its private key, PEM")
  private @Nullable Path key;

  @Mixin private StoreOptions options = new StoreOptions();

  /** The files. Fails where it is not clear which are meant. */
  public IdentityFiles files() {
    IdentityFiles store = options.store();
    if (store != null) {
      if (cert != null || key != null) {
        throw Failure.usage("--store has key and certificate: leave --cert and --key out");
      }
      return store;
    }
    if (cert == null || key == null) {
      throw Failure.usage("name the files: --cert FILE --key FILE, or --store FILE");
    }
    return new IdentityFiles.Pem(cert, key);
  }

  /** Options that name {@code files} from any folder. */
  public static Map<String, String> words(IdentityFiles files) {
    Map<String, String> words = new LinkedHashMap<>();
    switch (files) {
      case IdentityFiles.Pem pem -> {
        words.put("--cert", pem.certificateFile().toString());
        words.put("--key", pem.keyFile().toString());
      }
      case IdentityFiles.Store store -> {
        words.put("--store", store.file().toString());
        words.put("--store-type", store.type().toLowerCase(Locale.ROOT));
        words.put("--password-file", store.passwordFile().toString());
      }
    }
    return words;
  }
}
