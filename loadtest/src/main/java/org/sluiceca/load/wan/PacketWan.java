package org.sluiceca.load.wan;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.sluiceca.load.plan.WanPlan;

/**
 * The program {@code wan forward}: the kernel's own TCP over a TUN device of this process's network
 * namespace. It ends with this process.
 */
record PacketWan(WanPlan plan, Process process, int firstPort) implements Wan {

  private static final String READY = "ready";

  /** Where the forwarder has its links (loadtest/wan/exchange.h). */
  private static final byte[] LINKS = {10, (byte) 209, 1, 0};

  private static final int END_SECONDS = 5;

  static PacketWan open(WanPlan plan, Path program, int nodes, int firstPort) throws IOException {
    List<String> words =
        List.of(
            program.toString(),
            "forward",
            "--links",
            "" + nodes,
            "--rtt",
            "" + plan.rttMillis(),
            "--mbit",
            "" + plan.mbit(),
            "--queue",
            "" + plan.queueMillis());
    Process process =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader said = process.inputReader();
    String word = said.readLine();
    if (!READY.equals(word)) {
      process.destroy();
      throw new IOException("no WAN by " + words + ": " + word);
    }
    return new PacketWan(plan, process, firstPort);
  }

  @Override
  public InetSocketAddress door(int node) {
    byte[] address = LINKS.clone();
    address[3] = (byte) node;
    try {
      return new InetSocketAddress(InetAddress.getByAddress(address), firstPort + node);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  @Override
  public String description() {
    return "packet by packet through a TUN device: " + Wan.description(plan);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        boolean ignored = process.destroyForcibly().isAlive();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
