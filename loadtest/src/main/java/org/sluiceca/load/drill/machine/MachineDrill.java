package org.sluiceca.load.drill.machine;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.sluiceca.load.drill.DrillPage;
import org.sluiceca.load.drill.LedgerView;
import org.sluiceca.load.drill.client.Clients;
import org.sluiceca.load.drill.client.Granted;
import org.sluiceca.load.page.Text;

/**
 * Clients with kept connections at a balancer of two machines, one of which goes: in order, and no
 * client may see a failure; or at once, and what fails may only be what was under way there.
 *
 * @param machine the one that goes
 * @param span how long before, and after
 */
record MachineDrill(Machine machine, Duration span, LedgerView ledger, DrillPage page) {

  /** A machine that is emulated shuts down slowly. */
  private static final Duration LEAVES_WITHIN = Duration.ofMinutes(5);

  /**
   * What is judged.
   *
   * @param run begins their every Idempotency-Key
   */
  record Load(Clients clients, String run, int count) {}

  /** Stops the machine in order. Blocks for twice the load and the machine's end. */
  void drain(Load load) throws IOException, InterruptedException {
    Clients clients = load.clients();
    TimeUnit.MILLISECONDS.sleep(span.toMillis());
    int before = clients.granted().size();
    long began = System.nanoTime();
    machine.pressPowerButton();
    boolean isOff = machine.awaitEnd(LEAVES_WITHIN);
    page.promise(
        "the machine ends by itself",
        isOff,
        Text.format(
            "after %s, %d certificates before and %d meanwhile",
            DrillPage.seconds((System.nanoTime() - began) / 1e9),
            before,
            clients.granted().size() - before));
    TimeUnit.MILLISECONDS.sleep(span.toMillis());
    boolean isQuiet = clients.stop();
    page.noFailure(clients, isQuiet);
    compare(load);
  }

  /** Kills the machine. Blocks for twice the load. */
  void kill(Load load) throws InterruptedException {
    Clients clients = load.clients();
    TimeUnit.MILLISECONDS.sleep(span.toMillis());
    Instant killed = Instant.now();
    machine.kill();
    boolean isOff = machine.awaitEnd(Aftermath.FAILS_FOR);
    TimeUnit.MILLISECONDS.sleep(Math.max(span.toMillis(), 2 * Aftermath.FAILS_FOR.toMillis()));
    boolean isQuiet = clients.stop();
    new Aftermath(
            killed,
            clients.granted().stream().map(Granted::at).toList(),
            clients.failures(),
            load.count())
        .judge(isOff && isQuiet, page);
    page.waits(clients);
    compare(load);
  }

  private void compare(Load load) {
    Clients clients = load.clients();
    long its = ledger.issuedBy(machine.node(), load.run());
    page.promise(
        "the machine had served them",
        its > 0,
        Text.format(
            "%d of %d certificates are by %s", its, clients.granted().size(), machine.node()));
    page.nothingLost(ledger, clients);
  }
}
