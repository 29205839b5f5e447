package org.sluiceca.load.bench.acme;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluiceca.load.acme.Jws;
import org.sluiceca.load.acme.ProofPages;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code AcmeBench CORPUS}: one process for all loads of a benchmark, so that each CA meets the
 * same warm client. Prints {@code ready HTTP-PORT DNS-PORT}, where proofs are served, and then
 * answers each line of its input with one of its own, until the input ends:
 *
 * <ul>
 *   <li>{@code ca NAME DIRECTORY-URL ROOT ready|http-01 ORDERS-OF-ACCOUNT [BINDING-FILE]}: {@code
 *       ok}
 *   <li>{@code load NAME CONNECTIONS SECONDS}: {@code ok} and what {@link Load#run} returns
 * </ul>
 *
 * What fails is answered {@code failed} and the reason.
 */
public final class AcmeBench {

  private final List<String> csrs;
  private final ProofPages proofs;
  private final Map<String, Authority> authorities = new HashMap<>();
  private final Map<String, List<Client>> clients = new HashMap<>();
  private final AtomicInteger next = new AtomicInteger();

  private AcmeBench(List<String> csrs, ProofPages proofs) {
    this.csrs = csrs;
    this.proofs = proofs;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Locale.setDefault(Locale.ROOT);
    List<String> csrs =
        Files.readAllLines(Path.of(arguments[0])).stream()
            .map(csr -> Jws.encoded(Base64.getDecoder().decode(csr)))
            .toList();
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    try (ProofPages proofs = new ProofPages(loopback, 0);
        NameServer names = new NameServer(loopback);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      AcmeBench bench = new AcmeBench(csrs, proofs);
      System.out.println("ready " + proofs.port() + " " + names.port());
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        System.out.println(bench.answer(line.strip().split(" +")));
      }
    }
  }

  private String answer(String... words) throws InterruptedException {
    try {
      return switch (words[0]) {
        case "ca" -> add(words);
        case "load" -> load(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]));
        default -> "failed: no such command: " + words[0];
      };
    } catch (IOException | IllegalArgumentException e) {
      return "failed: " + e;
    }
  }

  private String add(String... words) throws IOException {
    Optional<Authority.Binding> binding =
        words.length > 6 ? Optional.of(binding(Path.of(words[6]))) : Optional.empty();
    authorities.put(
        words[1],
        Authority.at(
            URI.create(words[2]),
            Path.of(words[3]),
            words[4].equals("http-01"),
            Integer.parseInt(words[5]),
            binding));
    clients.put(words[1], new ArrayList<>());
    return "ok";
  }

  private static Authority.Binding binding(Path file) throws IOException {
    JsonNode binding = JsonMapper.shared().readTree(Files.readAllBytes(file));
    return new Authority.Binding(
        binding.path("kid").asString(), binding.path("hmacKey").asString());
  }

  /** Accounts that must be made are made before the clock starts; later ones count. */
  private String load(String name, int connections, int seconds)
      throws IOException, InterruptedException {
    Authority authority = authorities.get(name);
    List<Client> known = clients.get(name);
    if (authority == null || known == null) {
      throw new IllegalArgumentException("no CA is called " + name);
    }
    while (known.size() < connections) {
      known.add(new Client(authority, proofs));
    }
    List<Client> chosen = known.subList(0, connections);
    for (Client client : chosen) {
      client.begin();
    }
    return "ok " + new Load(csrs, chosen, next).run(Duration.ofSeconds(seconds));
  }
}
