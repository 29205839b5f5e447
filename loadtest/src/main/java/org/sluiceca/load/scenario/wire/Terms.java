package org.sluiceca.load.scenario.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * What Gatling is to send.
 *
 * @param run begins every Idempotency-Key: letters and digits
 * @param httpsPorts of the nodes on the loopback interface
 * @param httpPorts of the same nodes, without TLS
 * @param phases their names; a number stands for each
 * @param accounts by requester
 * @param keepsConnections whether connections are kept, or each request has a new one
 * @param waitSeconds what {@code Prefer: wait} says
 * @param isPoisson whether requests are due at random, or evenly
 * @param seed of all random numbers
 * @param ocspQuestion an OCSP request in base64 that ends with a serial number of 19 octets
 */
public record Terms(
    String run,
    List<Integer> httpsPorts,
    List<Integer> httpPorts,
    List<String> phases,
    List<Population> populations,
    Map<String, Account> accounts,
    boolean keepsConnections,
    int waitSeconds,
    boolean isPoisson,
    long seed,
    String ocspQuestion) {

  /** Virtual users come to life so long before their request is due: see Arrivals. */
  public static final double LEAD_SECONDS = 8;

  /** Of all key stores. Guards nothing: the keys are thrown away with the run. */
  public static final String STORE_PASSWORD = "changeit";

  /** In the folder; contains Gatling's instructions, and therefore tokens. */
  private static final String FILE = "terms.json";

  /** In the folder; when the time begins, by {@link System#nanoTime}. */
  private static final String BEGINNING = "beginning";

  private static final JsonMapper JSON = new JsonMapper();

  /** Copies. */
  public Terms {
    httpsPorts = List.copyOf(httpsPorts);
    httpPorts = List.copyOf(httpPorts);
    phases = List.copyOf(phases);
    populations = List.copyOf(populations);
    accounts = Map.copyOf(accounts);
  }

  /**
   * The identity of a requester.
   *
   * @param token empty if connections show its certificate
   * @param store a PKCS #12 file with that certificate; empty if there is none
   * @param csrs a file of requests in base64, one a line
   * @param renewalCsrs another one with the same names and other keys; empty if no client renews
   */
  public record Account(
      String token, String profile, String store, String csrs, String renewalCsrs) {}

  /** Writes them into {@code folder}, for its owner alone. */
  public void write(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, JSON.writeValueAsString(this));
  }

  /** Reads what was written. */
  public static Terms read(Path folder) throws IOException {
    return JSON.readValue(Files.readString(folder.resolve(FILE)), Terms.class);
  }

  /** Writes when the time begins; a reader that sees the file sees all of it. */
  public static void writeBeginning(Path folder, long nanos) throws IOException {
    Path fresh = folder.resolve(BEGINNING + ".new");
    Files.writeString(fresh, Long.toString(nanos));
    Files.move(fresh, folder.resolve(BEGINNING), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Returns the file in which the beginning is said. */
  public static Path beginning(Path folder) {
    return folder.resolve(BEGINNING);
  }
}
