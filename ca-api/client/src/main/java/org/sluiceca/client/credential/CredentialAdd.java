package org.sluiceca.client.credential;

import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.ActOutput;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.key.PemFiles;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code sluice credential add}: a token in a new file, or the key of a client certificate. */
@Command(
    name = "add",
    description = {
      "Register a credential: a token, which is written to --out, or the key of the",
      "client certificate in --certificate."
    },
    footer = {
      "",
      "Examples:",
      "  sluice credential add --requester web --roles REQUESTER \\",
      "    --profiles tls-server,tls-client --out web.token",
      "  sluice credential add --requester bob --roles ADMIN --certificate bob.pem"
    })
final class CredentialAdd extends ServiceCommand {
  private static final Pattern REQUESTER = Pattern.compile("[a-z0-9._-]{1,64}");
  private static final Pattern PROFILE = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final int PROFILES_MAX = 256;

  /** What a credential may do. */
  enum Role {
    REQUESTER,
    OFFICER,
    AUDITOR,
    ADMIN
  }

  @Option(
      names = "--requester",
      required = true,
      paramLabel = "R",
      description = "whom it is for: 1 to 64 of a-z 0-9 . _ -")
  private String requester = "";

  @Option(
      names = "--roles",
      required = true,
      split = ",",
      paramLabel = "ROLE",
      description = "of ${COMPLETION-CANDIDATES}")
  private List<Role> roles = new ArrayList<>();

  @Option(
      names = "--profiles",
      split = ",",
      paramLabel = "P",
      description = "what it may enroll (nothing)")
  private List<String> profiles = new ArrayList<>();

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "90",
      description = "1 to 825 (${DEFAULT-VALUE})")
  private int days;

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description = "register the key of this client certificate, PEM")
  private @Nullable Path certificate;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "where the token goes, mode 0600; must not exist; - is standard output")
  private @Nullable Path out;

  @Mixin private ActOutput output = new ActOutput();

  private @Nullable String pem;

  CredentialAdd(Console console) {
    super(console);
  }

  @Override
  protected Purpose purpose() {
    return Purpose.ADMINISTER;
  }

  @Override
  protected void check() {
    if (!REQUESTER.matcher(requester).matches()) {
      throw Failure.usage("--requester is 1 to 64 of a-z 0-9 . _ -, not '" + requester + "'");
    }
    Registration.checkDays(days);
    if (profiles.size() > PROFILES_MAX) {
      throw Failure.usage("--profiles are " + PROFILES_MAX + " at most");
    }
    for (String profile : profiles) {
      if (!PROFILE.matcher(profile).matches()) {
        throw Failure.usage("--profiles: '" + profile + "' is not a profile's name");
      }
    }
    if ((certificate == null) == (out == null)) {
      throw Failure.usage(
          "credential add needs either --out FILE for a token, or --certificate FILE");
    }
    if (out != null) {
      TokenOutput.check(out, output);
    } else if (certificate != null) {
      pem = firstOf(certificate);
    }
  }

  /** The service registers a key: the certificates above it do not matter. */
  private static String firstOf(Path file) {
    try {
      return PemFiles.block("CERTIFICATE", PemFiles.certificates(file).getFirst().getEncoded());
    } catch (CertificateEncodingException e) {
      throw Failure.of(file + " holds a certificate that cannot be read");
    }
  }

  @Override
  protected int run(Service service) {
    Registration registration =
        new Registration(
            requester, roles.stream().distinct().map(Role::name).toList(), profiles, days, pem);
    if (out == null) {
      Registration.Answer answer = registration.send(service, console(), null);
      if (!answer.waits()) {
        console().say("registered %s", summary(answer.document()));
      }
      output.print(answer.document(), console());
      return 0;
    }
    try (TokenOutput target = new TokenOutput(console(), out)) {
      Registration.Answer answer = registration.send(service, console(), target);
      if (answer.waits()) {
        console().note("the token is %s, and works when that is approved", target);
      } else {
        console().say("registered %s; its token is %s", summary(answer.document()), target);
      }
      output.print(answer.document(), console());
    }
    return 0;
  }

  private String summary(JsonNode made) {
    return made.path("id").asString("")
        + " of "
        + requester
        + " until "
        + made.path("expiresAt").asString("an unknown time");
  }
}
