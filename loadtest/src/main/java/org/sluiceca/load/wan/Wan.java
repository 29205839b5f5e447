package org.sluiceca.load.wan;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.WanPlan;

/** Where clients connect to a node, and what happens to their bytes on the way. Thread-safe. */
public interface Wan extends AutoCloseable {

  /** Returns where connections to a node are taken. */
  InetSocketAddress door(int node);

  /** Returns what it is, for people. */
  String description();

  /** Ends what it has started. Connections through it break. */
  @Override
  void close();

  /**
   * Opens what a plan wants: nothing, packets if there is a program that can, else a proxy.
   *
   * @param program {@code loadtest/wan}'s, if this process is in a network namespace of its own
   * @param nodes that it has to lead to, 1 to 250
   * @param firstPort of node 0; node i has the ith after it
   * @throws IOException if it cannot be made
   */
  static Wan open(Optional<WanPlan> plan, Optional<Path> program, int nodes, int firstPort)
      throws IOException {
    if (plan.isEmpty()) {
      return new None(firstPort);
    }
    return program.isPresent()
        ? PacketWan.open(plan.get(), program.get(), nodes, firstPort)
        : new ProxyWan(plan.get(), firstPort);
  }

  /** Returns round trip and rate, for people. */
  static String description(WanPlan plan) {
    return Text.format("%.0f ms, %s Mbit/s each way and node", plan.rttMillis(), rate(plan.mbit()));
  }

  private static String rate(double mbit) {
    return mbit == Math.rint(mbit) ? Long.toString((long) mbit) : Double.toString(mbit);
  }

  /** The loopback interface. */
  record None(int firstPort) implements Wan {

    @Override
    public InetSocketAddress door(int node) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), firstPort + node);
    }

    @Override
    public String description() {
      return "none";
    }

    @Override
    public void close() {
      // Nothing was started.
    }
  }
}
