package org.sluiceca.load.drill.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.sluiceca.load.cli.TrialException;

/**
 * What all servers of a drill have in common.
 *
 * @param programs PostgreSQL's folder, with {@code bin/postgres}
 * @param account the words before a program that must not run as root; none, if it may
 * @param folder of their clusters and logs; its owner is who they run as
 * @param secrets the folder of {@code database.password} and {@code database-superuser.password}
 */
public record Servers(Path programs, List<String> account, Path folder, Path secrets) {

  private static final int PORT_FIRST = 20_000;
  private static final int PORTS = 12_000;
  private static final int TRIES = 100;

  /** Copies. */
  public Servers {
    account = List.copyOf(account);
  }

  /** A server whose cluster is, or will be, in a folder of this name. */
  public PostgresServer server(String name, int port) {
    return new PostgresServer(this, folder.resolve(name), port);
  }

  /** Makes a folder that PostgreSQL's account may write to. */
  public Path make(String name) {
    try {
      Path made = Files.createDirectory(folder.resolve(name));
      return Files.setOwner(made, Files.getOwner(folder));
    } catch (IOException e) {
      throw new TrialException("cannot make " + name, e);
    }
  }

  /** The file with the password of a user: {@code database} or {@code database-superuser}. */
  public Path passwordFile(String name) {
    return secrets.resolve(name + ".password");
  }

  String password(String name) {
    try {
      return Files.readString(passwordFile(name)).strip();
    } catch (IOException e) {
      throw new TrialException("cannot read " + passwordFile(name), e);
    }
  }

  /** Returns a port below those of outgoing connections that no process listens on. */
  public static int freePort() {
    for (int tries = 0; tries < TRIES; tries++) {
      int port = PORT_FIRST + ThreadLocalRandom.current().nextInt(PORTS);
      try (ServerSocket socket = new ServerSocket()) {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return port;
      } catch (IOException e) {
        // In use by another process.
        Thread.onSpinWait();
      }
    }
    throw new TrialException("no free port for PostgreSQL");
  }
}
