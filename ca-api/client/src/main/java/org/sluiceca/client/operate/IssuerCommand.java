package org.sluiceca.client.operate;

import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.ActOutput;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.key.PemFiles;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code sluice issuer …}: issuers put into service and out of it. */
@Command(
    name = "issuer",
    description = {"Put issuers into service and out of it.", "Their keys come from the ceremony."},
    mixinStandardHelpOptions = true,
    subcommands = {
      IssuerCommand.ListAll.class,
      IssuerCommand.Install.class,
      IssuerCommand.Renew.class,
      IssuerCommand.Retire.class
    },
    footer = {"", "Example:", "  sluice issuer list"})
public final class IssuerCommand {

  /** Steps about one issuer. */
  abstract static class OfOne extends NamedCommand {
    @Mixin private ActOutput output = new ActOutput();

    OfOne(Console console) {
      super(console, "an issuer");
    }

    final int send(Service service, String path, ObjectNode body, String done) {
      return output.report(service.ask(Call.send("POST", path, body)), console(), done);
    }
  }

  /** Steps that bring certificates. */
  abstract static class WithChain extends OfOne {
    @Parameters(
        paramLabel = "CHAIN.pem",
        description = "the issuer's certificate and those above it, PEM")
    private Path chain = Path.of("");

    private String certificates = "";

    WithChain(Console console) {
      super(console);
    }

    @Override
    protected void check() {
      super.check();
      StringBuilder text = new StringBuilder();
      for (X509Certificate certificate : PemFiles.certificates(chain)) {
        try {
          text.append(PemFiles.block("CERTIFICATE", certificate.getEncoded()));
        } catch (CertificateEncodingException e) {
          throw Failure.of(chain + " holds a certificate that cannot be read");
        }
      }
      certificates = text.toString();
    }

    final ObjectNode body() {
      return JsonNodeFactory.instance.objectNode().put("certificates", certificates);
    }
  }

  @Command(
      name = "list",
      description = "List issuers: state, whether the node asked uses them, end, subject.",
      footer = {"", "Example:", "  sluice issuer list"})
  static final class ListAll extends ListCommand {
    ListAll(Console console) {
      super(console, Purpose.PUBLIC, "/v1/issuers?state=all");
    }

    @Override
    Table table(JsonNode issuers) {
      Table table = new Table("NAME", "STATE", "ON THIS NODE", "UNTIL", "SUBJECT");
      for (JsonNode issuer : issuers.values()) {
        table.row(
            issuer.path("name").asString("-"),
            issuer.path("state").asString("-"),
            use(issuer),
            issuer.path("notAfter").asString("-"),
            issuer.path("subject").asString("-"));
      }
      return table;
    }

    private static String use(JsonNode issuer) {
      boolean used = issuer.path("inService").asBoolean(false);
      boolean later = issuer.path("restartNeeded").asBoolean(false);
      if (used) {
        return later ? "in service, renewed from the next start" : "in service";
      }
      return later ? "from the next start" : "-";
    }
  }

  @Command(
      name = "install",
      description = "Install an issuer; each node uses it from its next start on.",
      footer = {"", "Example:", "  sluice issuer install second second.pem"})
  static final class Install extends WithChain {
    Install(Console console) {
      super(console);
    }

    @Override
    protected int run(Service service) {
      return send(
          service,
          "/v1/issuers",
          body().put("name", name()),
          "issuer " + name() + " is installed; each node has it from its next start on");
    }
  }

  @Command(
      name = "renew",
      description = "Give an issuer a newer certificate of the same key.",
      footer = {"", "Example:", "  sluice issuer renew second second-2028.pem"})
  static final class Renew extends WithChain {
    Renew(Console console) {
      super(console);
    }

    @Override
    protected int run(Service service) {
      return send(
          service,
          "/v1/issuers/" + name() + "/certificate",
          body(),
          "the certificate counts on each node from its next start on");
    }
  }

  @Command(
      name = "retire",
      description = "Issue nothing more under an issuer; its CRLs and OCSP go on.",
      footer = {"", "Example:", "  sluice issuer retire second"})
  static final class Retire extends OfOne {
    Retire(Console console) {
      super(console);
    }

    @Override
    protected int run(Service service) {
      return send(
          service,
          "/v1/issuers/" + name() + "/retirement",
          JsonNodeFactory.instance.objectNode().put("name", name()),
          "nothing is issued under " + name() + " any more, on every node within seconds");
    }
  }
}
