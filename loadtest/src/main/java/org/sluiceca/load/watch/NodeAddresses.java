package org.sluiceca.load.watch;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.sluiceca.load.call.Http;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.inside.Meter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends nodes the requests that are not load: metrics, capacity, and tokens for requesters. Each
 * call blocks for a few seconds at most; thread-safe.
 */
public final class NodeAddresses implements AutoCloseable {

  /** As nodes call their token if they have one alone. */
  public static final String ALONE = "hsm-0";

  private static final Duration LIMIT = Duration.ofSeconds(5);

  /** A node that has just begun is slow on a machine that others use. */
  private static final int TRIES_MAX = 6;

  private static final String JSON_TYPE = "application/json";

  private static final JsonMapper JSON = new JsonMapper();

  private final TrialNodes trial;
  private final HttpClient client;

  /** Talks to the nodes of a trial; {@code tls} trusts its root. */
  public NodeAddresses(TrialNodes trial, SSLContext tls) {
    this.trial = trial;
    this.client = HttpClient.newBuilder().sslContext(tls).connectTimeout(LIMIT).build();
  }

  /**
   * Registers a requester with node 0 and returns its token; blocks for half a minute at most.
   *
   * @throws TrialException if the node refuses, or does not answer, six times
   */
  public String register(String requester, String profile) {
    return JSON.readTree(
            post("/v1/credentials", "admin.token", JSON_TYPE, credential(requester, profile)))
        .path("token")
        .asString();
  }

  /**
   * Registers a certificate, in PEM, that a requester shows instead of a token.
   *
   * @throws TrialException if the node refuses, or does not answer, six times
   */
  public void register(String requester, String profile, String certificate) {
    ObjectNode credential = credential(requester, profile).put("certificate", certificate);
    String ignored = post("/v1/credentials", "admin.token", JSON_TYPE, credential);
  }

  private static ObjectNode credential(String requester, String profile) {
    ObjectNode credential = JSON.createObjectNode().put("requester", requester).put("days", 1);
    credential.putArray("roles").add("REQUESTER");
    credential.putArray("profiles").add(profile);
    return credential;
  }

  /**
   * Asks node 0 for a certificate and returns its chain in PEM.
   *
   * @param csr in DER
   * @throws TrialException if the node refuses, or does not answer, six times
   */
  public String enroll(String profile, byte[] csr) {
    String base64 = Base64.getEncoder().encodeToString(csr);
    return post(
        "/v1/certificates",
        "enroll.token",
        "application/pem-certificate-chain",
        JSON.createObjectNode().put("profile", profile).put("csr", base64));
  }

  private String post(String path, String tokenFile, String accept, ObjectNode body) {
    for (int tries = 1; ; tries++) {
      try {
        return post(0, path, tokenFile, accept, body, 201);
      } catch (TrialException e) {
        if (tries == TRIES_MAX) {
          throw e;
        }
      }
    }
  }

  private String post(
      int node, String path, String tokenFile, String accept, ObjectNode body, int expected) {
    HttpResponse<String> answer =
        send(
            https(node, path, tokenFile)
                .header("Content-Type", JSON_TYPE)
                .header("Accept", accept)
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build());
    if (answer.statusCode() != expected) {
      throw new TrialException(path + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  /**
   * Revokes a certificate for a reason that is urgent for CRLs, but does not block its key: a load
   * has a pool of keys.
   *
   * @throws TrialException unless the node answers 200
   */
  public void revoke(int node, String serial) {
    String ignored =
        post(
            node,
            "/v1/certificates/" + serial + "/revocation",
            "admin.token",
            JSON_TYPE,
            JSON.createObjectNode().put("reason", "cACompromise"),
            200);
  }

  /** Returns the CRL that a node serves, as hexadecimal digits; empty if it serves none. */
  public String crl(int node) {
    URI uri = URI.create("http://127.0.0.1:" + trial.httpPort(node) + "/crl/issuing.crl");
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(LIMIT).build();
    try {
      HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
      return answer.statusCode() == 200 ? HexFormat.of().formatHex(answer.body()) : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      throw Wait.interrupted(e);
    }
  }

  /** Returns node 0's {@code /v1/capacity} as it is; empty if it does not answer 200. */
  public Optional<String> capacity() {
    return capacity(0);
  }

  /** Returns a node's {@code /v1/capacity} as it is; empty if it does not answer 200. */
  public Optional<String> capacity(int node) {
    return body(https(node, "/v1/capacity", "enroll.token").build());
  }

  /** Returns the state of each token by its name, as a node sees them; empty if it says nothing. */
  public Map<String, String> tokens(int node) {
    Map<String, String> states = new TreeMap<>();
    for (JsonNode hsm : JSON.readTree(capacity(node).orElse("{}")).path("hsms")) {
      states.put(hsm.path("name").asString(), hsm.path("state").asString());
    }
    return states;
  }

  /**
   * Returns the sums of a node's metrics by name, over all labels; only those that begin with
   * {@code ca_}; empty if it does not answer.
   */
  public Map<String, Double> metrics(int node) {
    return metricsText(node).map(NodeAddresses::sums).orElse(Map.of());
  }

  /** Returns a node's metrics as it reports them; empty if it does not answer. */
  public Optional<String> metricsText(int node) {
    URI uri = URI.create("http://127.0.0.1:" + trial.managementPort(node) + "/actuator/prometheus");
    return body(HttpRequest.newBuilder(uri).timeout(LIMIT).build());
  }

  /** Sums the lines of the Prometheus text format by name. */
  static Map<String, Double> sums(String text) {
    return Meter.parse(text).stream()
        .filter(meter -> meter.name().startsWith("ca_"))
        .collect(
            Collectors.groupingBy(
                Meter::name, TreeMap::new, Collectors.summingDouble(Meter::value)));
  }

  private HttpRequest.Builder https(int node, String path, String tokenFile) {
    String url = "https://localhost:" + (trial.httpsPort() + node) + path;
    return HttpRequest.newBuilder(URI.create(url))
        .timeout(LIMIT)
        .header("Authorization", "Bearer " + trial.read(tokenFile));
  }

  private Optional<String> body(HttpRequest request) {
    try {
      HttpResponse<String> answer = send(request);
      return answer.statusCode() == 200 ? Optional.of(answer.body()) : Optional.empty();
    } catch (TrialException e) {
      // A node that is dead or too busy has nothing to say: that is seen elsewhere.
      return Optional.empty();
    }
  }

  private HttpResponse<String> send(HttpRequest request) {
    return Http.send(client, request, BodyHandlers.ofString());
  }

  @Override
  public void close() {
    client.close();
  }
}
