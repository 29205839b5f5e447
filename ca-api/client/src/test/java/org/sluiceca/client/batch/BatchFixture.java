package org.sluiceca.client.batch;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.sluiceca.client.Main;
import org.sluiceca.client.http.LoopbackService;
import org.sluiceca.client.key.Csr;
import org.sluiceca.client.key.KeyKind;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A node, a folder of requests, one of certificates, and the command between them. */
final class BatchFixture implements AutoCloseable {
  private static final KeyPair PAIR = KeyKind.EC_P256.generate();

  final BatchNode node = new BatchNode();
  final Path requests;
  final Path certificates;
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();
  private final Path folder;
  private final LoopbackService server;
  private final Path token;

  BatchFixture(Path folder) throws Exception {
    this.folder = folder;
    this.requests = Files.createDirectory(folder.resolve("requests"));
    this.certificates = folder.resolve("certificates");
    this.server = new LoopbackService(folder, node);
    this.token = Files.writeString(folder.resolve("web.token"), "web\n");
  }

  static byte[] csr(String name) {
    return Csr.of(PAIR, new X500Name("CN=" + name), List.of());
  }

  /** A line with a request of this id. */
  static String line(String id) {
    return "{\"id\":\""
        + id
        + "\",\"csr\":\""
        + Base64.getEncoder().encodeToString(csr("x"))
        + "\"}\n";
  }

  /** Writes this number of requests into the folder: host-0.csr, host-1.csr and so on. */
  void requests(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Files.writeString(requests.resolve("host-" + i + ".csr"), Csr.pem(csr("host-" + i)));
    }
  }

  /** Enrolls what the folder holds, and waits for nothing. */
  int run(String... more) {
    return run(requests, more);
  }

  int run(Path from, String... more) {
    List<String> all = new ArrayList<>(List.of("batch", "--from", from.toString()));
    all.addAll(List.of("--out", certificates.toString(), "--token-file", token.toString()));
    all.addAll(List.of("--url", server.url().toString(), "--ca-file", server.root().toString()));
    all.addAll(List.of(more));
    for (String[] usual : new String[][] {{"--profile", "tls-server"}, {"--wait", "1"}}) {
      if (!all.contains(usual[0])) {
        all.addAll(List.of(usual));
      }
    }
    return Main.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
  }

  /** Enrolls what these lines hold. */
  int runLines(String lines, String... more) throws IOException {
    return run(Files.writeString(folder.resolve("requests.ndjson"), lines), more);
  }

  /** The names of the files of certificates, sorted. */
  List<String> certificateFiles() throws IOException {
    try (Stream<Path> files = Files.list(certificates)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".pem"))
          .sorted()
          .toList();
    }
  }

  /** The list of what failed; empty if there is none. */
  List<JsonNode> failed() throws IOException {
    Path file = certificates.resolve("failed.ndjson");
    return Files.exists(file)
        ? Files.readAllLines(file, StandardCharsets.US_ASCII).stream()
            .map(JsonMapper.shared()::readTree)
            .toList()
        : List.of();
  }

  /** Changes the name of the batch that the folder keeps. */
  void rename(String from, String to) throws IOException {
    Path file = certificates.resolve("batch.json");
    Files.writeString(file, Files.readString(file).replaceAll(from, to));
  }

  @Override
  public void close() {
    server.close();
  }
}
