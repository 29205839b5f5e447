package org.sluiceca.core.bench;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CsrDer;

/**
 * Distinct requests, each with a key of its own, as the verifier sees them in life: a key that was
 * seen before is cheaper in every library.
 */
@State(Scope.Benchmark)
public class Requests {

  /** Enough that no cache of a library holds them; RSA keys cost 100 ms each to make. */
  private static final int EC_KEYS = 1_024;

  private static final int RSA_KEYS = 128;

  /** The requests' keys. */
  @Param({"ec-p256", "rsa-2048", "ed25519"})
  String key = "";

  private final List<CsrDer> csrs = new ArrayList<>();
  private int next;

  @Setup
  public void make() {
    int keys = key.startsWith("rsa") ? RSA_KEYS : EC_KEYS;
    for (int i = 0; i < keys; i++) {
      String host = "host-" + i + ".bench.test";
      csrs.add(CsrFixture.host(host, host).signedBy(SoftwareKey.generate(key)));
    }
  }

  /** Returns the requests in turn. */
  CsrDer next() {
    next = next + 1 == csrs.size() ? 0 : next + 1;
    return csrs.get(next);
  }
}
