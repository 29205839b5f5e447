package org.sluiceca.client.batch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sluiceca.client.batch.input.BatchRequest;
import org.sluiceca.client.batch.input.FolderRequests;
import org.sluiceca.client.batch.input.NdjsonRequests;
import org.sluiceca.client.batch.input.Requests;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice batch}: a certificate for each request of a folder or of JSON lines. */
@Command(
    name = "batch",
    description = {
      "Enroll many certificates: one for each request of a folder or of JSON lines.",
      "After a kill or a failure run the same command again, as the same requester:",
      "it goes on, and no request gets a second certificate."
    },
    footer = {
      "",
      "What failed is listed in DIR/failed.ndjson. Exit code 0: all are issued.",
      "",
      "Examples:",
      "  sluice batch --from requests --profile tls-server --out certificates",
      "  sluice batch --from requests.ndjson --out certificates --json"
    })
public final class BatchCommand extends ServiceCommand {
  @Option(
      names = "--from",
      required = true,
      paramLabel = "DIR|FILE",
      description =
          "a folder with requests (.csr, .der, .pem), or JSON lines with id, csr and, if another"
              + " one than --profile is meant, profile")
  private Path from = Path.of("");

  @Option(
      names = "--profile",
      paramLabel = "P",
      description = "what the certificates are for, e.g. tls-server")
  private String profile = "";

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description =
          "where each certificate goes with its chain: ID.pem, after the name of the request's file")
  private Path out = Path.of("");

  @Option(names = "--json", description = "JSON lines, one for each request")
  private boolean json;

  @Option(
      names = "--new-keys",
      description =
          "go on though the batch began over seven days ago: what was issued and not written may"
              + " be issued again")
  private boolean newKeys;

  /** Prints on {@code console}. */
  public BatchCommand(Console console) {
    super(console);
  }

  @Override
  protected Purpose purpose() {
    return Purpose.ENROLL;
  }

  @Override
  protected void check() {
    if (!profile.isEmpty() && !BatchRequest.isProfile(profile)) {
      throw Failure.usage("--profile is a name such as tls-server, not '" + profile + "'");
    }
    if (Files.isDirectory(from) && profile.isEmpty()) {
      throw Failure.usage("batch needs --profile P for the requests of a folder");
    }
    if (!Files.isDirectory(from) && !Files.isRegularFile(from)) {
      throw Failure.of("--from " + from + " is no folder and no file");
    }
    Path parent = out.toAbsolutePath().normalize().getParent();
    if (!Files.isDirectory(out) && (parent == null || !Files.isDirectory(parent))) {
      throw Failure.of("--out " + out + " cannot be made: its folder is missing");
    }
    try {
      if (Files.exists(out)
          && out.toRealPath().startsWith(from.toRealPath())
          && from.toRealPath().startsWith(out.toRealPath())) {
        throw Failure.usage("--out is the folder of the requests: name another one");
      }
      if (from.toRealPath().endsWith(BatchFolder.FAILED)) {
        throw Failure.usage("--from is a list of what failed, which holds no requests");
      }
    } catch (IOException e) {
      throw Failure.of("cannot read " + from + " or " + out);
    }
  }

  @Override
  protected int run(Service service) {
    Requests requests =
        Files.isDirectory(from)
            ? new FolderRequests(from, profile)
            : new NdjsonRequests(from, profile);
    if (requests.count() == 0) {
      throw Failure.of(from + " holds no request (.csr, .der, .pem)");
    }
    try (BatchFolder folder = BatchFolder.open(out);
        Outcomes outcomes = new Outcomes(console(), folder, json)) {
      new BatchRun(service, console(), requests, folder, outcomes).run(profile, newKeys);
      return summary(requests.count(), outcomes);
    }
  }

  private int summary(int count, Outcomes outcomes) {
    String before =
        outcomes.before() == 0 ? "" : ", " + outcomes.before() + " of them by earlier runs";
    if (outcomes.failed() > 0) {
      throw Failure.of(
          outcomes.failed()
              + " of "
              + count
              + " failed, see "
              + outcomes.failedFile()
              + "; "
              + outcomes.issued()
              + " are issued"
              + before);
    }
    console().say("%d of %d are issued to %s%s", outcomes.issued(), count, out, before);
    return outcomes.issued() == count ? 0 : Failure.FAILED;
  }
}
