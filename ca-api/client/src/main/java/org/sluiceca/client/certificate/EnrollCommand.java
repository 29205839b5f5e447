package org.sluiceca.client.certificate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.Arrays;
import java.util.Date;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Query;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
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
import org.sluiceca.client.output.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code sluice enroll}: a certificate for a request, or for a key that is made here. */
@Command(
    name = "enroll",
    description = {
      "Enroll a certificate, for a request or a new key.",
      "--csr names the request; otherwise a key is made, and a request with the names given.",
      "A key that is made here never leaves this machine."
    },
    footer = {
      "",
      "Examples:",
      "  sluice enroll --profile tls-server --csr www.csr --out www.pem",
      "  sluice enroll --profile tls-server --dns www.example.com --key www.key --out www.pem",
      "  sluice enroll --profile tls-server --dns db.example.com --store db.p12 --password-file pw"
    })
public final class EnrollCommand extends ServiceCommand {
  private static final Pattern PROFILE = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9-]{1,64}");
  private static final int CSR_MAX = 65_536;

  @Option(
      names = "--profile",
      required = true,
      paramLabel = "P",
      description = "what the certificate is for, e.g. tls-server")
  private String profile = "";

  @Option(names = "--csr", paramLabel = "FILE", description = "a request, PEM or DER")
  private @Nullable Path csr;

  private IdentityFiles.@Nullable Store store;

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

  @Option(
      names = "--idempotency-key",
      paramLabel = "K",
      description = "as a failed try printed it: asks for the same certificate again")
  private @Nullable String given;

  private String idempotencyKey = UUID.randomUUID().toString();

  @Option(
      names = "--json",
      description =
          "one JSON document: serial number, end, files; the chain where --out is not given")
  private boolean json;

  @Mixin private StoreOptions options = new StoreOptions();

  @Mixin private RequestedNames names = new RequestedNames();

  /** Prints on {@code console}. */
  public EnrollCommand(Console console) {
    super(console);
  }

  @Override
  protected Purpose purpose() {
    return Purpose.ENROLL;
  }

  @Override
  protected void check() {
    if (!PROFILE.matcher(profile).matches()) {
      throw Failure.usage("--profile is a name such as tls-server, not '" + profile + "'");
    }
    idempotencyKey = given == null ? idempotencyKey : given;
    if (!KEY.matcher(idempotencyKey).matches()) {
      throw Failure.usage("--idempotency-key is what a failed try printed");
    }
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
    return store != null && given != null && Files.exists(made) && Files.exists(requestOf(made));
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

  @Override
  protected int run(Service service) {
    Path file = csr == null ? forNewKey() : csr;
    byte[] request = read(file);
    Reply reply =
        service.reply(
            Call.post(
                    "/v1/certificates" + new Query().put("profile", profile),
                    "application/pkcs10",
                    Orders.CHAIN,
                    request)
                // One key for all tries: a repeated one never makes a second certificate.
                .with("Idempotency-Key", idempotencyKey));
    if (reply.status() / 100 != 2) {
      throw refused(service, reply, file);
    }
    Orders.Issued issued = new Orders(service, console()).of(reply);
    try {
      write(issued);
    } catch (Failure e) {
      throw Failure.of(
          e.getMessage() + "; it is issued: sluice get " + issued.serial() + " --out FILE");
    }
    if (csr == null) {
      forget(file);
    }
    Path where = store == null ? out : store.file();
    console().say("issued %s%s", issued.serial(), where == null ? "" : " to " + where);
    if (json) {
      console().raw(Json.line(document(issued)));
    }
    return 0;
  }

  private void write(Orders.Issued issued) {
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
    } else if (!json) {
      console().raw(issued.chain());
    }
  }

  private ObjectNode document(Orders.Issued issued) {
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

  /** What a service has refused for good leaves no key behind; anything else can be asked again. */
  private Failure refused(Service service, Reply reply, Path file) {
    String refusal = service.refusal(reply);
    if (Service.isFinal(reply)) {
      if (key != null) {
        forget(key);
        forget(file);
      }
      return Failure.of(refusal);
    }
    return Failure.of(
        refusal
            + reply.locationId().map(id -> "; it may be " + id).orElse("")
            + "; to ask for the same certificate again: "
            + (store == null ? "--csr " + file : "the same words and")
            + " --idempotency-key "
            + idempotencyKey);
  }

  /** Key and request are on disk before anything is sent: no certificate is for a lost key. */
  private Path forNewKey() {
    Path file = Objects.requireNonNull(key);
    Path request = requestOf(file);
    if (isAgain(file)) {
      return request;
    }
    KeyPair pair = KeyKind.of(keyType).orElseThrow().generate();
    String pem = Csr.pem(Csr.of(pair, names.subject(), names.alternatives()));
    PrivateFile.create(file, Csr.pem(pair.getPrivate()).getBytes(StandardCharsets.US_ASCII));
    PrivateFile.writePublic(request, pem.getBytes(StandardCharsets.US_ASCII));
    console().say("made the key %s (%s)", file, keyType);
    return request;
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
