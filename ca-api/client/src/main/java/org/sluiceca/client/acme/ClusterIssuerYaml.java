package org.sluiceca.client.acme;

import java.util.ArrayList;
import java.util.List;

/**
 * YAML for {@code kubectl apply}: a Secret with the key as the service gave it, since cert-manager
 * reads base64url itself, and a ClusterIssuer. It needs no solver: the orders of a binding have no
 * challenge. A key that is in a file is not in the YAML, but in a command of its comments.
 */
final class ClusterIssuerYaml {
  private static final String NAMESPACE = "cert-manager";
  private static final String KEY = "secret";

  private ClusterIssuerYaml() {}

  static List<String> lines(Setup setup) {
    String issuer = "sluice-" + setup.endpoint().replaceAll("-+$", "");
    String secret = issuer + "-eab";
    List<String> lines = new ArrayList<>();
    if (setup.isKeyShown()) {
      lines.addAll(
          List.of(
              "apiVersion: v1",
              "kind: Secret",
              "metadata:",
              "  name: " + secret,
              "  namespace: " + NAMESPACE,
              "stringData:",
              "  " + KEY + ": \"" + setup.key() + '"',
              "---"));
    } else {
      lines.addAll(
          List.of(
              "# The Secret first:",
              "#   " + setup.keyCommand() + " | kubectl create secret generic " + secret + " \\",
              "#     --namespace " + NAMESPACE + " --from-file=" + KEY + "=/dev/stdin"));
    }
    lines.addAll(
        List.of(
            "apiVersion: cert-manager.io/v1",
            "kind: ClusterIssuer",
            "metadata:",
            "  name: " + issuer,
            "spec:",
            "  acme:",
            "    server: \"" + setup.plainDirectory() + '"'));
    setup.rootBase64().ifPresent(root -> lines.add("    caBundle: " + root));
    lines.addAll(
        List.of(
            "    privateKeySecretRef:",
            "      name: " + issuer + "-account",
            "    externalAccountBinding:",
            "      keyID: \"" + setup.kid() + '"',
            "      keySecretRef:",
            "        name: " + secret,
            "        key: " + KEY,
            "    solvers: []"));
    return lines;
  }
}
