package org.sluiceca.load.drill.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.sluiceca.load.CsrCorpus;
import org.sluiceca.load.call.Http;
import org.sluiceca.load.cli.Options;
import org.sluiceca.load.cli.Program;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.drill.DrillPage;
import org.sluiceca.load.drill.LedgerView;
import org.sluiceca.load.drill.client.Clients;
import org.sluiceca.load.drill.server.Balancer;
import org.sluiceca.load.drill.server.Servers;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.watch.LedgerRows;

/**
 * What {@code ./sluice vm pair} starts when two machines are ready. {@code --part} is drain or
 * kill. The ports are those of the first machine, the second's follow; node, pid and monitor are of
 * the one that goes. Exit codes: 0 every promise kept, 1 not, or it could not be played.
 */
public record MachineDrillCommand(Options options) {

  private static final int MACHINES = 2;

  /** Emulated processors take a second for what a real one does in ten milliseconds. */
  private static final int CLIENTS = 4;

  private static final int CSRS = 500;

  /** Of a machine just started, on emulated processors, the first requests take twenty seconds. */
  private static final Duration WARM_UP = Duration.ofSeconds(40);

  private static final String OPTIONS =
      "--part --node --seconds --haproxy --https-port --management-port --pid --monitor --data --database-port --work --out --commit";

  /** Plays one part and exits with its code. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    Program.start(options -> new MachineDrillCommand(options).run(), OPTIONS, arguments);
  }

  private int run() throws IOException, GeneralSecurityException, InterruptedException {
    String part = options.text("--part");
    DrillPage page =
        new DrillPage(
            Text.format("Two machines, one goes: %s, commit %s", part, options.text("--commit")),
            System.err);
    LedgerView ledger = ledger();
    MachineDrill drill =
        new MachineDrill(machine(), Duration.ofSeconds(options.whole("--seconds")), ledger, page);
    try (Balancer balancer =
        Balancer.start(
            options.path("--haproxy"),
            options.path("--work"),
            Servers.freePort(),
            options.whole("--https-port"),
            options.whole("--management-port"),
            MACHINES)) {
      warmUp(balancer, page);
      String run = LedgerRows.newRun("machines");
      try (Clients clients = clients(balancer, run)) {
        MachineDrill.Load load = new MachineDrill.Load(clients, run, CLIENTS);
        switch (part) {
          case "drain" -> drill.drain(load);
          case "kill" -> drill.kill(load);
          default -> throw new TrialException("there is no part " + part);
        }
      }
    }
    Files.writeString(options.path("--out"), page.markdown());
    System.out.println(page.verdict());
    return page.broken() == 0 ? 0 : 1;
  }

  private void warmUp(Balancer balancer, DrillPage page)
      throws IOException, GeneralSecurityException, InterruptedException {
    try (Clients clients = clients(balancer, LedgerRows.newRun("warm"))) {
      TimeUnit.MILLISECONDS.sleep(WARM_UP.toMillis());
      boolean isQuiet = clients.stop();
      page.figure(
          "warm-up, not judged",
          Text.format(
              "%s, %d certificates, %d failures%s",
              DrillPage.seconds(WARM_UP.toMillis() / 1e3),
              clients.granted().size(),
              clients.failures().size(),
              isQuiet ? "" : ", and requests that did not end"));
    }
  }

  private Clients clients(Balancer balancer, String run)
      throws IOException, GeneralSecurityException, InterruptedException {
    String token = Files.readString(options.path("--data").resolve("enroll.token")).strip();
    List<String> csrs = CsrCorpus.make(CSRS);
    // It takes a node for ready when it has said so twice.
    TimeUnit.SECONDS.sleep(Balancer.NOTICES_WITHIN.toSeconds());
    return Clients.obedient(
        Http.trusting(options.path("--data").resolve("root.pem")),
        balancer.port(),
        new Clients.Requests(token, run, csrs),
        CLIENTS);
  }

  private Machine machine() {
    long pid = options.whole("--pid");
    return new Machine(
        options.text("--node"),
        ProcessHandle.of(pid).orElseThrow(() -> new TrialException("there is no process " + pid)),
        options.path("--monitor"));
  }

  /** The trial's own server, which runs; nothing is started. */
  private LedgerView ledger() {
    Path work = options.path("--work");
    Servers servers = new Servers(work, List.of(), work, options.path("--data").resolve("secrets"));
    return new LedgerView(servers.server("data", options.whole("--database-port")));
  }
}
