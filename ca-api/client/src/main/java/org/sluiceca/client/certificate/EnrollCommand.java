package org.sluiceca.client.certificate;

import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Query;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.key.RequestedNames;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
      "  sluice enroll --profile tls-server --dns www.example.com \\",
      "    --key www.key --out www.pem",
      "  sluice enroll --profile tls-server --dns db.example.com \\",
      "    --store db.p12 --password-file pw"
    })
public final class EnrollCommand extends ServiceCommand {
  private static final Pattern PROFILE = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9-]{1,64}");

  @Option(
      names = "--profile",
      required = true,
      paramLabel = "P",
      description = "what the certificate is for, e.g. tls-server")
  private String profile = "";

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

  @Mixin private EnrollmentFiles files = new EnrollmentFiles();

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
    files.check(names, given != null);
  }

  @Override
  protected int run(Service service) {
    byte[] request = files.request(names, console());
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
      throw refused(service, reply);
    }
    Orders.Issued issued = new Orders(service, console()).of(reply);
    try {
      files.write(issued);
      if (files.certificate().isEmpty() && !json) {
        console().raw(issued.chain());
      }
    } catch (Failure e) {
      throw Failure.of(
          e.getMessage() + "; it is issued: sluice get " + issued.serial() + " --out FILE");
    }
    files.forgetRequest();
    console()
        .say(
            "issued %s%s",
            issued.serial(), files.certificate().map(file -> " to " + file).orElse(""));
    if (json) {
      console().raw(Json.line(files.document(issued)));
    }
    return 0;
  }

  /** What a service has refused for good leaves no key behind; anything else can be asked again. */
  private Failure refused(Service service, Reply reply) {
    String refusal = service.refusal(reply);
    if (Service.isFinal(reply)) {
      files.forgetNewKey();
      return Failure.of(refusal);
    }
    return Failure.of(
        refusal
            + reply.locationId().map(id -> "; it may be " + id).orElse("")
            + "; to ask for the same certificate again: "
            + files.again()
            + " --idempotency-key "
            + idempotencyKey);
  }
}
