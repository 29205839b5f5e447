package org.sluiceca.blackbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for the trials of this run, in rows, below those that outgoing connections get. None is
 * given twice: two trials that start at once would both find it free.
 */
final class Ports {

  /** Of nodes. */
  static final Ports NODES = new Ports(10_000, 19_900);

  /** Where the launcher, too, looks for a port of the embedded PostgreSQL. */
  static final Ports DATABASES = new Ports(20_000, 31_900);

  private final int lowest;
  private final int highest;
  private int next;

  private Ports(int lowest, int highest) {
    this.lowest = lowest;
    this.highest = highest;
    this.next = ThreadLocalRandom.current().nextInt(lowest, highest);
  }

  /** The first of {@code count} free ports in a row. */
  synchronized int free(int count) {
    for (int tries = 0; tries < 500; tries++) {
      int first = next + count > highest ? lowest : next;
      next = first + count;
      if (areFree(first, count)) {
        return first;
      }
    }
    throw new AssertionError("no " + count + " free ports in a row");
  }

  private static boolean areFree(int first, int count) {
    for (int port = first; port < first + count; port++) {
      try (ServerSocket socket = new ServerSocket()) {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }
}
