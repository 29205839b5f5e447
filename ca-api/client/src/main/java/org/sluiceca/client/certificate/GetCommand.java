package org.sluiceca.client.certificate;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.key.PrivateFile;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice get SERIAL}: a certificate with its chain. */
@Command(
    name = "get",
    description = "Fetch a certificate with its chain.",
    footer = {"", "Example:", "  sluice get 010ba6e0199ce4c6d37ac710e21bc19b032db4 --out www.pem"})
public final class GetCommand extends ServiceCommand {
  @Parameters(paramLabel = "SERIAL", description = "serial number in hexadecimal")
  private String serial = "";

  @Option(names = "--out", paramLabel = "FILE", description = "write there, not to standard output")
  private @Nullable Path out;

  @Option(names = "--json", description = "one JSON document: the certificate and its status")
  private boolean json;

  @Option(names = "--as-admin", description = "use the administrator's credential: see all of them")
  private boolean asAdmin;

  /** Prints on {@code console}. */
  public GetCommand(Console console) {
    super(console);
  }

  @Override
  protected Purpose purpose() {
    return asAdmin ? Purpose.ADMINISTER : Purpose.ENROLL;
  }

  @Override
  protected void check() {
    serial = Serial.of(serial);
    if (json && out != null) {
      throw Failure.usage("--json prints the certificate with its status: leave --out out");
    }
  }

  @Override
  protected int run(Service service) {
    if (json) {
      console().raw(Json.line(service.ask(Call.get("/v1/certificates/" + serial)).json()));
      return 0;
    }
    String chain = new Orders(service, console()).fetch(serial);
    if (out == null) {
      console().raw(chain);
    } else {
      PrivateFile.writePublic(out, chain.getBytes(StandardCharsets.UTF_8));
    }
    return 0;
  }
}
