package org.sluiceca.client.acme;

import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/** A client of ACME that {@code sluice eab add} prints lines for. */
enum AcmeProgram {
  CERTBOT("certbot") {
    @Override
    List<String> lines(Setup setup) {
      return List.of(
          setup.environment("REQUESTS_CA_BUNDLE")
              + "certbot certonly --standalone --key-type ecdsa \\",
          "  -d " + Setup.word(setup.name()) + " --server " + setup.directory() + " \\",
          // One word each: both may begin with a hyphen.
          "  --eab-kid=" + setup.kid() + " --eab-hmac-key=" + setup.key() + " \\",
          "  --agree-tos --register-unsafely-without-email");
    }
  },
  LEGO("lego") {
    @Override
    List<String> lines(Setup setup) {
      return List.of(
          setup.environment("LEGO_CA_CERTIFICATES") + "lego --accept-tos \\",
          "  --email " + Setup.word("ops@" + setup.domain()) + " \\",
          "  --domains " + Setup.word(setup.name()) + " --server " + setup.directory() + " \\",
          "  --eab --kid=" + setup.kid() + " --hmac=" + setup.key() + " \\",
          "  --http run");
    }
  },
  CERT_MANAGER("cert-manager") {
    @Override
    List<String> lines(Setup setup) {
      return ClusterIssuerYaml.lines(setup);
    }
  };

  private final String label;

  AcmeProgram(String label) {
    this.label = label;
  }

  /** What to paste for a binding. */
  abstract List<String> lines(Setup setup);

  @Override
  public String toString() {
    return label;
  }

  /** Reads the name that {@link #toString} gives, and no other spelling. */
  static final class Named implements CommandLine.ITypeConverter<AcmeProgram> {
    @Override
    public AcmeProgram convert(String value) {
      return Arrays.stream(values())
          .filter(program -> program.label.equals(value))
          .findFirst()
          .orElseThrow(
              () ->
                  new CommandLine.TypeConversionException(
                      "expected one of " + Arrays.toString(values()) + ", not '" + value + "'"));
    }
  }
}
