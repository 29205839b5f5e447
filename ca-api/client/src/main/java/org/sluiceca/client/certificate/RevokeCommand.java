package org.sluiceca.client.certificate;

import java.util.regex.Pattern;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.ActOutput;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code sluice revoke SERIAL --reason R}. */
@Command(
    name = "revoke",
    description = "Revoke a certificate.",
    footer = {
      "",
      "Example:",
      "  sluice revoke 010ba6e0199ce4c6d37ac710e21bc19b032db4 --reason keyCompromise"
    })
public final class RevokeCommand extends ServiceCommand {
  /** RFC 5280 5.3.1: the names of reasonCode. */
  private static final Pattern REASON = Pattern.compile("[A-Za-z]{1,32}");

  @Parameters(paramLabel = "SERIAL", description = "serial number in hexadecimal")
  private String serial = "";

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "REASON",
      description = "as in RFC 5280: keyCompromise, superseded, cessationOfOperation, …")
  private String reason = "";

  @Mixin private ActOutput output = new ActOutput();

  /** Prints on {@code console}. */
  public RevokeCommand(Console console) {
    super(console);
  }

  @Override
  protected Purpose purpose() {
    return Purpose.ADMINISTER;
  }

  @Override
  protected void check() {
    serial = Serial.of(serial);
    checkReason(reason);
  }

  static void checkReason(String reason) {
    if (!REASON.matcher(reason).matches()) {
      throw Failure.usage(
          "--reason is a name of RFC 5280 such as keyCompromise, not '" + reason + "'");
    }
  }

  @Override
  protected int run(Service service) {
    Reply reply =
        service.ask(
            Call.send(
                "POST",
                "/v1/certificates/" + serial + "/revocation",
                JsonNodeFactory.instance.objectNode().put("reason", reason)));
    int exitCode = output.report(reply, console(), "revoked " + serial + " (" + reason + ")");
    nameSameKey(reply.json().path("otherCertificates"));
    return exitCode;
  }

  /** The key is compromised: its other certificates are valid until they are revoked, too. */
  private void nameSameKey(JsonNode others) {
    if (!others.isArray() || others.isEmpty()) {
      return;
    }
    console().note("valid certificates with the same key, which was reported as compromised:");
    for (JsonNode other : others.values()) {
      console().note("  sluice revoke %s --reason keyCompromise", other.asString(""));
    }
  }
}
