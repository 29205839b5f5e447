package org.sluiceca.load.bench.acme;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluiceca.load.CsrCorpus;
import org.sluiceca.load.page.Text;

/** A closed loop of some clients on one CA. */
final class Load {

  /** With errors after errors there is nothing to measure. */
  private static final int FAULTS_MAX = 20;

  private final List<String> csrs;
  private final List<Client> clients;
  private final AtomicInteger next;
  private final CountDownLatch stop = new CountDownLatch(1);

  /**
   * Each client takes the next request.
   *
   * @param csrs in base64url, each for the name that {@link CsrCorpus#name} gives its number
   * @param next number of a request, taken in turn
   */
  Load(List<String> csrs, List<Client> clients, AtomicInteger next) {
    this.csrs = csrs;
    this.clients = clients;
    this.next = next;
  }

  /** What one client did. */
  private static final class Worker {

    private final Steps steps = new Steps();
    private final Steps.Times certificates = new Steps.Times();
    private int faults;
    private String fault = "";
  }

  /**
   * Runs the clients until {@code time} is over and the orders under way have ended. Returns
   * seconds, certificates, 0, orders that failed, milliseconds of a certificate (median, 99th
   * percentile, longest), orders, signed requests and the steps, with blanks between.
   *
   * @throws IOException if nothing was issued, with what the last client met
   */
  String run(Duration time) throws IOException, InterruptedException {
    List<Worker> workers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    long began = System.nanoTime();
    long end = began + time.toNanos();
    for (Client client : clients) {
      Worker worker = new Worker();
      workers.add(worker);
      threads.add(Thread.ofPlatform().daemon().start(() -> work(client, worker, end)));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } finally {
      // Where the wait was interrupted, they would go on.
      stop();
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    Steps steps = new Steps();
    Steps.Times certificates = new Steps.Times();
    long faults = 0;
    for (Worker worker : workers) {
      steps.add(worker.steps);
      certificates.add(worker.certificates);
      faults += worker.faults;
      if (!worker.fault.isEmpty()) {
        System.err.println("sluice: " + worker.fault);
      }
    }
    if (certificates.count() == 0) {
      throw new IOException("nothing was issued");
    }
    return Text.format(
        "%s %d 0 %d %s %s %s %d %d %s",
        Text.number(seconds, 3),
        certificates.count(),
        faults,
        Text.number(certificates.millis(0.5), 3),
        Text.number(certificates.millis(0.99), 3),
        Text.number(certificates.millis(1), 3),
        certificates.count() + faults,
        steps.count(),
        steps.text());
  }

  /**
   * Ends the load before its time: clients that wait for a poll end at once, others when their
   * order has to wait or is done. Thread-safe.
   */
  void stop() {
    stop.countDown();
  }

  private void work(Client client, Worker worker, long end) {
    while (System.nanoTime() < end && worker.faults < FAULTS_MAX && stop.getCount() > 0) {
      int number = Math.floorMod(next.getAndIncrement(), csrs.size());
      try {
        client.ensureAccount();
        long began = System.nanoTime();
        client.certificate(CsrCorpus.name(number), csrs.get(number), worker.steps, stop);
        worker.certificates.add(System.nanoTime() - began);
      } catch (IOException e) {
        worker.faults++;
        worker.fault = e.toString();
      }
    }
  }
}
