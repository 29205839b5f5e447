package org.sluiceca.api.platform.tls;

import java.security.Security;
import java.util.Set;
import org.springframework.boot.ssl.SslOptions;

/**
 * Restricts what the JDK's TLS and path validation may use, stricter than the JDK's own defaults.
 * For the whole process, since the JDK knows no other way: the database's connection obeys it, too.
 */
public final class TlsPolicy {

  /**
   * Forward secrecy and AEAD only (RFC 9325 4.2). The node's own key is EC, so TLS 1.2 needs no
   * suites for RSA.
   */
  static final SslOptions OFFERED =
      SslOptions.of(
          Set.of(
              "TLS_AES_256_GCM_SHA384",
              "TLS_AES_128_GCM_SHA256",
              "TLS_CHACHA20_POLY1305_SHA256",
              "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
              "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
              "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"),
          Set.of("TLSv1.3", "TLSv1.2"));

  private static final String PATH_ALGORITHMS = "jdk.certpath.disabledAlgorithms";

  /**
   * RFC 9155 and NIST SP 800-131A: no SHA-1 in signatures; keys of 112 bits of security at least,
   * as {@code csr.CsrVerifier} demands of those that are certified.
   */
  private static final String WEAK = ", MD5, SHA1, DSA, RSA keySize < 2048, EC keySize < 256";

  /** A finite-field group of 8192 bits costs the server 50 times what it costs to ask for it. */
  private static final String GROUPS = "x25519,secp256r1,secp384r1";

  /** The JDK remembers 20,480 sessions of some 3 KB: more than half of a node's heap. */
  private static final String SESSIONS_MAX = "1024";

  private TlsPolicy() {}

  /** Sets the policy; to be called before anything speaks TLS. */
  public static void install() {
    Security.setProperty(PATH_ALGORITHMS, Security.getProperty(PATH_ALGORITHMS) + WEAK);
    System.setProperty("jdk.tls.namedGroups", GROUPS);
    // TLS 1.2 lets a client ask for handshake after handshake on one connection.
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    System.setProperty("javax.net.ssl.sessionCacheSize", SESSIONS_MAX);
  }
}
