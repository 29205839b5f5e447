package org.sluiceca.client.certificate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.Arrays;
import java.util.Date;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.key.Csr;
import org.sluiceca.client.key.Identity;
import org.sluiceca.client.key.IdentityFiles;
import org.sluiceca.client.key.KeyKind;
import org.sluiceca.client.key.PemFiles;
import org.sluiceca.client.key.PrivateFile;
import org.sluiceca.client.key.RequestedNames;
import org.sluiceca.client.key.StoreOptions;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The files of an enrollment, as options name them: the request that is read or made, the new key,
 * and where the certificate goes. Checked before anything is written or sent. Not thread-safe.
 */
final class EnrollmentFiles {
  private static final int CSR_MAX = 65_536;

  @Option(names = "--csr", paramLabel = "FILE", description = "a request, PEM or DER")
  private @Nullable Path csr;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "where the new private key goes, PKCS#8 in PEM, mode 0600; must not exist")
  private @Nullable Path key;

  @Option(
      names = "--key-type",
      paramLabel = "TYPE",
      defaultValue = "ec-p256",
      description =
          "of the new key: ec-p256 ec-p384 rsa-2048 rsa-3072 rsa-4096 ed25519 (${DEFAULT-VALUE})")
  private String keyType = "";

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "where the certificate with its chain goes, PEM (standard output)")
  private @Nullable Path out;

  @Mixin private StoreOptions options = new StoreOptions();

  private IdentityFiles.@Nullable Store store;
  private boolean repeats;

  /**
   * Checks that the options agree, that all files can be written, and that no key is overwritten.
   *
   * @param names of a certificate for a new key
   * @param repeats whether this is another try: the key of the first may be there
   */
  void check(RequestedNames names, boolean repeats) {
    this.repeats = repeats;
    checkStore();
    checkOut();
    if (csr != null) {
      if (key != null || !names.isEmpty()) {
        throw Failure.usage("--csr already has a key and names: leave --key and the names out");
      }
      return;
    }
    if (key == null || names.isEmpty()) {
      throw Failure.usage("enroll needs --csr FILE, or --key FILE and a name such as --dns");
    }
    if (KeyKind.of(keyType).isEmpty()) {
      throw Failure.usage("--key-type '" + keyType + "' is none of " + KeyKind.labels());
    }
    if (isAgain(key)) {
      return;
    }
    if (Files.exists(key)) {
      throw Failure.of(key + " is there already: a key is never overwritten");
    }
    names.subject();
    names.alternatives();
  }

  /** Until it has its certificate the key is in a file of its own: a store has both or none. */
  private void checkStore() {
    store = options.store();
    if (store == null) {
      return;
    }
    if (key != null || csr != null || out != null) {
      throw Failure.usage("--store takes key and certificate: leave --key, --csr and --out out");
    }
    if (Files.exists(store.file())) {
      throw Failure.of(store.file() + " is there already: a key is never overwritten");
    }
    store.checkPassword();
    key = store.file().resolveSibling(store.file().getFileName() + ".key");
    requireWritable("--store", store.file());
  }

  /** The key for a store that a try before this one has made, and has no certificate for. */
  private boolean isAgain(Path made) {
    return store != null && repeats && Files.exists(made) && Files.exists(requestOf(made));
  }

  private static Path requestOf(Path key) {
    return key.resolveSibling(key.getFileName() + ".csr");
  }

  /** A certificate that cannot be written would be issued in vain, and must not replace its key. */
  private void checkOut() {
    if (out == null) {
      return;
    }
    Path target = out.toAbsolutePath().normalize();
    for (Path other : Arrays.asList(key, csr)) {
      if (other != null && target.equals(other.toAbsolutePath().normalize())) {
        throw Failure.usage("--out " + out + " is the file of the key or of the request");
      }
    }
    requireWritable("--out", target);
  }

  private static void requireWritable(String option, Path file) {
    Path folder = file.getParent();
    if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
      throw Failure.of(option + " " + file + " cannot be written");
    }
  }

  /** The request, DER or PEM, at most 64 KiB; without --csr for a key that is made here. */
  byte[] request(RequestedNames names, Console console) {
    return read(csr == null ? forNewKey(names, console) : csr);
  }

  /** Key and request are on disk before anything is sent: no certificate is for a lost key. */
  private Path forNewKey(RequestedNames names, Console console) {
    Path file = Objects.requireNonNull(key);
    Path request = requestOf(file);
    if (isAgain(file)) {
      return request;
    }
    KeyPair pair = KeyKind.of(keyType).orElseThrow().generate();
    String pem = Csr.pem(Csr.of(pair, names.subject(), names.alternatives()));
    PrivateFile.create(file, Csr.pem(pair.getPrivate()).getBytes(StandardCharsets.US_ASCII));
    PrivateFile.writePublic(request, pem.getBytes(StandardCharsets.US_ASCII));
    console.say("made the key %s (%s)", file, keyType);
    return request;
  }

  /** Writes what was issued to the files that the options name; nothing where none is named. */
  void write(Orders.Issued issued) {
    if (store != null) {
      Path made = Objects.requireNonNull(key);
      Identity identity =
          new Identity(
              PemFiles.privateKey(made), PemFiles.certificates(issued.chain(), "the answer"));
      identity.requirePair();
      store.write(identity);
      forget(made);
    } else if (out != null) {
      PrivateFile.writePublic(out, issued.chain().getBytes(StandardCharsets.UTF_8));
    }
  }

  /** The file that has the certificate afterwards; empty if it goes to standard output. */
  Optional<Path> certificate() {
    return Optional.ofNullable(store == null ? out : store.file());
  }

  /** What --json prints. */
  ObjectNode document(Orders.Issued issued) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    Date notAfter = PemFiles.certificates(issued.chain(), "the answer").getFirst().getNotAfter();
    document.put("serial", issued.serial()).put("notAfter", notAfter.toInstant().toString());
    if (store != null) {
      return document.put("storeFile", store.file().toString());
    }
    if (out == null) {
      document.put("chain", issued.chain());
    } else {
      document.put("certificateFile", out.toString());
    }
    return key == null ? document : document.put("keyFile", key.toString());
  }

  /** Deletes the request that was made here; its certificate is issued. */
  void forgetRequest() {
    if (csr == null) {
      forget(requestOf(Objects.requireNonNull(key)));
    }
  }

  /** Deletes key and request that were made here, for which there will be no certificate. */
  void forgetNewKey() {
    if (csr == null) {
      forget(Objects.requireNonNull(key));
      forgetRequest();
    }
  }

  /** The options with which another try sends the same request. */
  String again() {
    if (store != null) {
      return "the same words and";
    }
    return "--csr " + (csr == null ? requestOf(Objects.requireNonNull(key)) : csr);
  }

  private static void forget(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw Failure.of("cannot delete " + file);
    }
  }

  private static byte[] read(Path file) {
    if (Files.isDirectory(file)) {
      throw Failure.of("--csr " + file + " is a folder: name the file that holds the request");
    }
    try {
      long size = Files.size(file);
      if (size == 0 || size > CSR_MAX) {
        throw Failure.of(file + " is no request: it has " + size + " octets");
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw Failure.of("cannot read a request from " + file);
    }
  }
}
